import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddRequest, type AddOutcome, CategoryId, type NewPet, PetName } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import type { Database } from '../src/database.js';
import { openDatabase } from '../src/open-database.js';
import { keptToken } from '../src/idempotency/kept-token.js';
import { known } from '../src/testing/known.js';

let postgres: TestPostgres;
let database: Database;
let admin: Client;

beforeAll(async () => {
  postgres = await startTestPostgres();
  database = await openDatabase({ url: postgres.url });
  await database.migrate();
  admin = new Client(postgres.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.close();
  await postgres.stop();
});

const rex: NewPet = {
  name: known(PetName.parse('Rex')),
  categoryId: known(CategoryId.parse('9007199254740993')),
  status: 'pending',
};
const mia: NewPet = { ...rex, name: known(PetName.parse('Mia')) };

const count = async (): Promise<number> =>
  Number((await admin.query<{ n: string }>('select count(*) n from pets')).rows[0]?.n);
const kinds = (outcomes: readonly AddOutcome[]): string[] => outcomes.map(({ kind }) => kind).sort();

describe('addOnce', () => {
  it('adds at the first time and repeats the first answer ever after', async () => {
    const first = await database.pets.addOnce(rex, { caller: 'a', token: 't1' });
    expect(first).toMatchObject({ kind: 'added', pet: rex });
    const before = await count();
    const again = await database.pets.addOnce(rex, { caller: 'a', token: 't1' });
    expect(again).toEqual({ ...first, kind: 'replayed' });
    expect(await count()).toBe(before);
  });

  it('refuses a token that was used for another animal', async () => {
    await database.pets.addOnce(rex, { caller: 'a', token: 't2' });
    expect(await database.pets.addOnce(mia, { caller: 'a', token: 't2' })).toEqual({ kind: 'token_reused' });
    expect(await database.pets.addOnce(rex, { caller: 'a', token: 't2' })).toMatchObject({
      kind: 'replayed',
    });
  });

  it('knows a long token again by its hash, also one that an earlier version kept as it was', async () => {
    const token = 'x'.repeat(255);
    await database.pets.addOnce(rex, { caller: 'a', token });
    expect(await database.pets.addOnce(rex, { caller: 'a', token })).toMatchObject({ kind: 'replayed' });
    expect(await database.pets.addOnce(mia, { caller: 'a', token: 'x'.repeat(254) })).toMatchObject({
      kind: 'added',
    });
    const { rows } = await admin.query('select max(length(token)) as longest from add_requests');
    expect(rows).toEqual([{ longest: 50 }]);
    await admin.query('update add_requests set token = $1 where token = $2', [token, keptToken(token)]);
    expect(await database.pets.addOnce(rex, { caller: 'a', token })).toMatchObject({ kind: 'replayed' });
  });

  it('keeps the tokens of different callers apart', async () => {
    await database.pets.addOnce(rex, { caller: 'a', token: 't3' });
    expect(await database.pets.addOnce(mia, { caller: 'b', token: 't3' })).toMatchObject({ kind: 'added' });
  });

  it('adds one animal however many ask at once', async () => {
    const before = await count();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => database.pets.addOnce(rex, { caller: 'a', token: 't4' })),
    );
    expect(await count()).toBe(before + 1);
    expect(kinds(outcomes).filter((kind) => kind === 'added')).toHaveLength(1);
    expect(kinds(outcomes)).not.toContain('token_reused');
  });

  it('says so while the first one is still at work', async () => {
    await admin.query('begin');
    await admin.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [JSON.stringify(['a', 't5'])]);
    expect(await database.pets.addOnce(rex, { caller: 'a', token: 't5' })).toEqual({ kind: 'in_progress' });
    await admin.query('rollback');
    expect(await database.pets.addOnce(rex, { caller: 'a', token: 't5' })).toMatchObject({ kind: 'added' });
  });

  it('keeps neither the animal nor the request when one of them cannot be kept', async () => {
    const before = await count();
    await admin.query('alter table add_requests add constraint nothing check (false) not valid');
    await expect(database.pets.addOnce(rex, { caller: 'a', token: 't6' })).rejects.toThrow('nothing');
    await admin.query('alter table add_requests drop constraint nothing');
    expect(await count()).toBe(before);
    expect(await database.pets.addOnce(rex, { caller: 'a', token: 't6' })).toMatchObject({ kind: 'added' });
  });

  it('forgets a request after 24 hours', async () => {
    await database.pets.addOnce(rex, { caller: 'a', token: 't7' });
    const age = (ms: number): Promise<unknown> =>
      admin.query(
        `update add_requests set created_at = now() - interval '${ms} milliseconds' where token = 't7'`,
      );
    await age(AddRequest.REMEMBERED_FOR - 5_000);
    expect(await database.pets.addOnce(rex, { caller: 'a', token: 't7' })).toMatchObject({
      kind: 'replayed',
    });
    await age(AddRequest.REMEMBERED_FOR + 1);
    expect(await database.pets.addOnce(mia, { caller: 'a', token: 't7' })).toMatchObject({ kind: 'added' });
    expect(await database.pets.addOnce(mia, { caller: 'a', token: 't7' })).toMatchObject({
      kind: 'replayed',
    });
  });

  it('removes what is forgotten and nothing else', async () => {
    await admin.query(`delete from add_requests`);
    await database.pets.addOnce(rex, { caller: 'a', token: 'old' });
    await admin.query(`update add_requests set created_at = now() - interval '25 hours'`);
    await database.pets.addOnce(rex, { caller: 'a', token: 'new' });
    expect(await database.forgetOldRequests()).toBe(1);
    expect(await database.pets.addOnce(rex, { caller: 'a', token: 'new' })).toMatchObject({
      kind: 'replayed',
    });
  });
});
