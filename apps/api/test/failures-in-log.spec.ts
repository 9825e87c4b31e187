import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KeySigner } from '@petstore/api-key';
import { Client as Session } from 'pg';
import type { Client } from './client.js';
import { expectError } from './contract.js';
import { type RunningService, runService } from './running-service.js';
import { until } from './until.js';

const NAME = 'Name-that-nobody-else-shall-read';
const TOKEN = 'idempotency-key-of-somebody';

let running: RunningService;
let client: Client;
let admin: Session;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  admin = new Session(running.postgres.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await running.close();
});

/** The lines about failures since the last call that have come by now. */
let seen = 0;
async function failures(count: number): Promise<string> {
  const lines = (): string[] => running.lines.slice(seen).filter((line) => line.includes('"request failed"'));
  await until(() => lines().length >= count);
  const found = lines().join('');
  seen = running.lines.length;
  return found;
}

it('logs a failed statement without a word of what it was about', async () => {
  await admin.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no %', new.name; end $$;
    create trigger refuse before insert on pets for each row execute function refuse()`);
  const pet = { name: NAME, categoryId: 7 };
  expectError(await client.post('/v1/pets', pet), 'internal_error');
  expectError(
    await client.post('/v1/pets', pet, { headers: { 'Idempotency-Key': TOKEN } }),
    'internal_error',
  );
  await admin.query(
    'drop trigger refuse on pets; alter table pets add constraint short check (length(name) < 9)',
  );
  expectError(await client.post('/v1/pets', pet), 'internal_error');
  expectError(
    await client.post('/v1/pets', pet, { headers: { 'Idempotency-Key': TOKEN } }),
    'internal_error',
  );
  await admin.query('alter table pets drop constraint short');

  const lines = await failures(4);
  for (const secret of [NAME, TOKEN, 'insert into', 'INSERT INTO', 'Failing row'])
    expect(lines).not.toContain(secret);
  expect(lines.match(/"code":"P0001"/g)?.length).toBeGreaterThanOrEqual(2);
  expect(lines).toContain('"constraint":"short"');
  // Where it happened is there all the same: by the statement's name on the fast lane, by the stack elsewhere.
  expect(lines).toContain('"statement":"pets_insert"');
  expect(lines).toContain('PetRepository.insert');
});

it('logs a key that cannot be looked up without its hash', async () => {
  await admin.query('alter table api_key_secrets rename column hash to aside');
  expect(await running.issueKey().catch(() => undefined)).toBeUndefined();
  const { text } = new KeySigner(running.environment['API_KEY_PEPPER'] ?? '').issue('test');
  const reply = await client.get('/v1/pets', { headers: { Authorization: `Bearer ${text}` } });
  await admin.query('alter table api_key_secrets rename column aside to hash');
  expectError(reply, 'internal_error');
  const lines = await failures(1);
  expect(lines).toContain('"code":"42703"');
  expect(lines).not.toMatch(/[0-9a-f]{64}/);
  expect(lines).not.toContain('parameters');
});
