import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { run } from '../src/run.js';
import { createWebhooksProgram } from '../src/webhooks/webhooks.program.js';
import type { Outcome } from './key-tool.js';

let server: TestPostgres;
let admin: Client;

async function webhook(...args: string[]): Promise<Outcome> {
  let out = '';
  let err = '';
  const exit = await run(createWebhooksProgram, args, {
    environment: { DATABASE_URL: server.url, API_KEY_PEPPER: 'the pepper of these tests' },
    out: (text) => (out += text),
    err: (text) => (err += text),
    input: Readable.from([]),
    interactive: false,
    colour: false,
    progress: false,
    user: 'anna',
  });
  return { exit, out, err };
}

/** Runs a command that must succeed; what it prints with `--json`, on one line. */
async function json(...args: string[]): Promise<unknown> {
  const { exit, out, err } = await webhook(...args, '--json');
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  expect(out.trimEnd()).not.toContain('\n');
  return JSON.parse(out);
}

beforeAll(async () => {
  server = await startTestPostgres();
  // Migrates the database.
  expect(await webhook('list')).toEqual({ exit: 0, out: 'There is no webhook.\n', err: '' });
  admin = new Client(server.url);
  await admin.connect();
  await admin.query(`insert into api_keys (id, name, plan, scopes, created_at) values
    ('key_1', 'shop', 'free', '{webhooks:manage}', now()),
    ('key_2', E'site\\u001b[31m', 'free', '{webhooks:manage}', now())`);
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});
beforeEach(async () => {
  await admin.query('truncate webhooks restart identity cascade');
  await admin.query(`insert into webhooks (key_id, url, types, status, disabled_reason, failing_since, created_at) values
    ('key_1', 'https://shop.example/hook?token=hidden', '{pet.*,order.placed}', 'enabled', null, null, '2026-11-21T19:12:07.123Z'),
    ('key_2', 'https://site.example/', null, 'disabled', 'failing', now() - interval '6 days', now()),
    (null, 'https://removed.example/', null, 'disabled', null, null, now())`);
  await admin.query(`insert into webhook_secrets (webhook_id, sealed, valid_until) values
    (1, 'sealed', null), (1, 'older', now() + interval '1 hour'), (1, 'ended', now() - interval '1 hour')`);
  await admin.query(`insert into webhook_deliveries
      (webhook_id, position, type, status, attempts, next_attempt_at, last_attempt_at, response_status, error)
    select 1, n, 'pet.updated', 'failed', 10, null, now() - interval '2 hours', 503, 'http_status'
    from generate_series(1, 12) n`);
  await admin.query(`insert into webhook_deliveries (webhook_id, position, type, status, next_attempt_at)
    select 1, n, 'pet.created', 'pending', now() from generate_series(101, 1105) n`);
});

describe('list', () => {
  it('shows whose each webhook is and how it does, newest first', async () => {
    const { exit, out } = await webhook('list');
    expect(exit).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'KEY', 'NAME', 'STATUS', 'PENDING', 'FAILING', 'URL'],
      ['2', 'key_2', 'site\\u{1b}[31m', 'disabled (failing)', '0', 'for 6 d', 'https://site.example/'],
      ['1', 'key_1', 'shop', 'enabled', '1,000+', 'no', 'https://shop.example/hook?...'],
      [''],
    ]);
  });

  it('prints everything but secrets for scripts, of one key or status if that is asked for', async () => {
    const shop = {
      id: '1',
      keyId: 'key_1',
      keyName: 'shop',
      url: 'https://shop.example/hook?token=hidden',
      status: 'enabled',
      createdAt: '2026-11-21T19:12:07.123Z',
      pending: 1000,
    };
    expect(await json('list', '--status', 'enabled')).toEqual([shop]);
    expect(await json('list', '--status', 'disabled')).toMatchObject([
      { id: '2', disabledReason: 'failing' },
    ]);
    expect(await json('list', '--key', 'key_3Hq9uA7LmX0cTz5e')).toEqual([]);
  });
});

describe('show', () => {
  it('shows what a webhook asks for, and its last deliveries', async () => {
    const { exit, out } = await webhook('show', '1');
    expect(exit).toBe(0);
    expect(out).toMatch(/Types +pet\.\*, order\.placed\n/);
    expect(out).toMatch(/Secrets +2\n/);
    expect(out).toMatch(/Deliveries +1,000\+ pending, 0 delivered, 12 failed, 0 dropped\n/);
    expect(out).toMatch(/\n1017 +pet\.created +pending +0 +never\n/);
    expect(out).not.toContain('sealed');
    const details = (await json('show', '1')) as { lastDeliveries: object[] };
    expect(details.lastDeliveries).toHaveLength(10);
    await admin.query(`delete from webhook_deliveries where status = 'pending'`);
    expect((await webhook('show', '1')).out).toMatch(
      /\n12 +pet\.updated +failed +10 +2 h ago +503 http_status\n/,
    );
  });
});

describe('disable', () => {
  it('stops deliveries, and says whether it was needed', async () => {
    expect(await webhook('disable', '1')).toEqual({ exit: 0, out: 'The webhook 1 is disabled.\n', err: '' });
    expect(await json('show', '1')).toMatchObject({ status: 'disabled', deliveries: { pending: 0 } });
    expect((await json('show', '1')) as object).not.toHaveProperty('disabledReason');
    expect(await json('disable', '1')).toEqual({ id: '1', status: 'disabled', wasEnabled: false });
    // What the service said of another one stays.
    expect(await json('disable', '2')).toMatchObject({ wasEnabled: false });
    expect(await json('show', '2')).toMatchObject({ disabledReason: 'failing' });
  });
});

describe('a mistake', () => {
  it.each([
    ['show', '3'],
    ['show', '4'],
    ['disable', '3'],
    ['disable', '9223372036854775807'],
  ])('%s %s: there is no such webhook', async (command, id) => {
    const { exit, out, err } = await webhook(command, id);
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(err).toBe(`error: There is no webhook ${id}. The command list shows those there are.\n`);
  });

  it.each([
    [['show', 'x'], /An id is a whole number/],
    [['show', '0'], /An id is a whole number/],
    [['disable', '9223372036854775808'], /An id is a whole number/],
    [['show'], /missing required argument/],
    [['list', '--status', 'gone'], /Allowed choices/],
    [['list', '--key', 'x'], /An id looks like key_/],
    [[], /Usage: npm run webhook/],
  ])('%j is told what is wrong', async (args, message) => {
    const { exit, err } = await webhook(...args);
    expect(exit).toBe(2);
    expect(err).toMatch(message);
  });

  it('has help for each command', async () => {
    for (const command of ['list', 'show', 'disable']) {
      const { exit, out } = await webhook(command, '--help');
      expect(exit).toBe(0);
      expect(out).toContain(`$ npm run webhook -- ${command}`);
    }
  });
});
