import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, type NewPet, PetName } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import type { Database } from '../src/database/database.js';
import {
  type IdempotentRequest,
  type IdempotentResult,
  REMEMBERED_FOR_MS,
} from '../src/idempotency/idempotent-request.js';
import type { PostgresIdempotencyStore } from '../src/idempotency/postgres-idempotency.store.js';
import { openDatabase } from '../src/database/database.js';
import { known } from '../src/testing/known.js';
import { addOnce as addOnceTo, addWithin } from './add-once.js';
import { startMigratedServer } from './migrated-server.js';
import { soon } from './soon.js';

let postgres: TestPostgres;
let database: Database;
let store: PostgresIdempotencyStore;
let admin: Client;

beforeAll(async () => {
  postgres = await startMigratedServer();
  database = await openDatabase({ url: postgres.url });
  store = database.idempotency;
  admin = new Client(postgres.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.close();
  await postgres.stop();
});
beforeEach(async () => {
  await admin.query('truncate pets, idempotent_requests');
});

const rex: NewPet = {
  name: known(PetName.parse('Rex')),
  categoryId: known(CategoryId.parse('9007199254740993')),
  status: 'pending',
};
const mia: NewPet = { ...rex, name: known(PetName.parse('Mia')) };

const addOnce = (pet: NewPet, token: string, caller = 'a'): Promise<IdempotentResult> =>
  addOnceTo(database, pet, { caller, token });
const count = async (table = 'pets'): Promise<number> =>
  Number((await admin.query<{ n: string }>(`select count(*) n from ${table}`)).rows[0]?.n);
/** Makes a request as old as this. */
const age = (token: string, ms: number): Promise<unknown> =>
  admin.query(
    `update idempotent_requests set created_at = now() - interval '${ms} milliseconds' where token = '${token}'`,
  );

describe('an idempotent request', () => {
  it('is carried out at the first time, and its first response repeated ever after', async () => {
    const first = await addOnce(rex, 't');
    expect(first).toMatchObject({ kind: 'carried_out', answer: { status: 201 } });
    expect(await addOnce(rex, 't')).toEqual({ ...first, kind: 'replayed' });
    expect(await count()).toBe(1);
  });

  it('keeps every part of a response as it was', async () => {
    const request: IdempotentRequest = { caller: 'a', token: 't', operation: 'placeOrder', input: null };
    for (const [token, answer] of [
      ['all', { status: 200, location: 'https://é/ü?x="', etag: '"a\\b"', body: '{"a":"\\u0000 🐇\\n"}' }],
      ['none', { status: 204, location: undefined, etag: undefined, body: undefined }],
      ['empty', { status: 200, location: '', etag: '', body: '' }],
    ] as const) {
      await store.run({ ...request, token }, () => Promise.resolve(answer));
      const again = await store.run({ ...request, token }, () => Promise.reject(new Error('not again')));
      expect(again).toEqual({ kind: 'replayed', answer });
    }
  });

  it('is refused when its token was used for another input or another operation', async () => {
    await addOnce(rex, 't');
    expect(await addOnce(mia, 't')).toEqual({ kind: 'reused' });
    const other = { caller: 'a', token: 't', operation: 'placeOrder', input: { ...rex } };
    expect(await store.run(other, () => Promise.reject(new Error('not this')))).toEqual({ kind: 'reused' });
    expect(await addOnce(rex, 't')).toMatchObject({ kind: 'replayed' });
    expect(await count()).toBe(1);
  });

  it('is known again by the hash of a long token', async () => {
    const token = 'x'.repeat(255);
    await addOnce(rex, token);
    expect(await addOnce(rex, token)).toMatchObject({ kind: 'replayed' });
    expect(await addOnce(mia, 'x'.repeat(254))).toMatchObject({ kind: 'carried_out' });
    const { rows } = await admin.query('select max(length(token)) as longest from idempotent_requests');
    expect(rows).toEqual([{ longest: 50 }]);
  });

  it('belongs to its caller', async () => {
    await addOnce(rex, 't');
    expect(await addOnce(mia, 't', 'b')).toMatchObject({ kind: 'carried_out' });
  });

  it('says so while the first one is still at work', async () => {
    await admin.query('begin');
    await admin.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [JSON.stringify(['a', 't'])]);
    expect(await addOnce(rex, 't')).toEqual({ kind: 'in_progress' });
    await admin.query('rollback');
    expect(await addOnce(rex, 't')).toMatchObject({ kind: 'carried_out' });
  });

  it('is not remembered when its work is refused, and the refusal passes unchanged', async () => {
    const refusal = new Error('the animal is pending');
    const request = { caller: 'a', token: 't', operation: 'createPet', input: { ...rex } };
    const refused = store.run(request, async (transaction) => {
      await database.pets.add(rex, transaction);
      throw refusal;
    });
    await expect(refused).rejects.toBe(refusal);
    expect(await count()).toBe(0);
    expect(await addOnce(rex, 't')).toMatchObject({ kind: 'carried_out' });
  });

  it.each(['idempotent_requests', 'pets'])('leaves nothing when %s cannot be written to', async (table) => {
    await admin.query(`alter table ${table} add constraint nothing check (false) not valid`);
    await expect(addOnce(rex, 't')).rejects.toThrow('nothing');
    await admin.query(`alter table ${table} drop constraint nothing`);
    for (const each of ['idempotent_requests', 'pets']) expect(await count(each)).toBe(0);
    expect(await addOnce(rex, 't')).toMatchObject({ kind: 'carried_out' });
  });

  it('happens once even if another process keeps it without the lock: the primary key decides', async () => {
    const request = { caller: 'a', token: 't', operation: 'createPet', input: { ...rex } };
    const tries: number[] = [];
    await admin.query('begin');
    await admin.query(
      `insert into idempotent_requests (caller, token, operation, fingerprint, status, body)
       values ('a', 't', 'createPet', sha256('{"categoryId":"9007199254740993","name":"Rex","status":"pending"}'), 201, 'theirs')`,
    );
    const ours = store.run(request, (transaction) => {
      tries.push(1);
      return addWithin(database, rex, transaction);
    });
    await soon(async () => {
      const { rowCount } = await admin.query(`select from pg_locks where not granted`);
      expect(rowCount).toBe(1);
    });
    await admin.query('commit');
    expect(await ours).toMatchObject({ kind: 'replayed', answer: { status: 201, body: 'theirs' } });
    expect(tries).toEqual([1]);
    expect(await count()).toBe(0);
  });

  it('is forgotten after 24 hours by the clock of the database', async () => {
    await addOnce(rex, 't');
    await age('t', REMEMBERED_FOR_MS - 5_000);
    expect(await addOnce(rex, 't')).toMatchObject({ kind: 'replayed' });
    await age('t', REMEMBERED_FOR_MS + 1);
    expect(await addOnce(mia, 't')).toMatchObject({ kind: 'carried_out' });
    expect(await addOnce(mia, 't')).toMatchObject({ kind: 'replayed' });
    expect(await addOnce(rex, 't')).toEqual({ kind: 'reused' });
  });

  it('is removed when it is forgotten, and no other', async () => {
    await addOnce(rex, 'old');
    await age('old', REMEMBERED_FOR_MS + 1);
    await addOnce(rex, 'new');
    expect(await database.removeOldRows()).toMatchObject({ idempotent_requests: 1 });
    expect(await database.removeOldRows()).toMatchObject({ idempotent_requests: 0 });
    expect(await addOnce(rex, 'new')).toMatchObject({ kind: 'replayed' });
  });

  it('is removed in batches, however many there are', async () => {
    await admin.query(
      `insert into idempotent_requests (caller, token, operation, fingerprint, status, created_at)
       select 'a', n::text, 'createPet', sha256(''), 201, now() - interval '25 hours' from generate_series(1, 12000) n`,
    );
    expect(await database.removeOldRows()).toMatchObject({ idempotent_requests: 12_000 });
  });
});
