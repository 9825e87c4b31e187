import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { DatabaseHealth } from '../src/database/database-health.js';
import { addOnce, rex } from './pet-actions.js';
import { connect, TestDatabase } from './test-database.js';

const db = new TestDatabase();

/** A trigger that refuses new animals with the SQLSTATE of the setting `test.refusal`, as PostgreSQL would. */
const REFUSAL = `
  create function refuse() returns trigger language plpgsql as $$
  begin
    if current_setting('test.refusal', true) <> '' then
      raise exception 'refused by the test' using errcode = current_setting('test.refusal', true);
    end if;
    return new;
  end $$;
  create trigger refuse before insert on pets for each row execute function refuse()`;

beforeAll(() => db.query(REFUSAL));
const refuseWith = async (sqlState: string): Promise<void> => {
  await db.query(`alter database postgres set test.refusal = '${sqlState}'`);
  await db.terminateSessions();
};

/** What both ways to add an animal, a unit of work and a pipelined statement, are refused with, in new sessions. */
async function refusals(): Promise<Error[]> {
  const stores = await db.open();
  const attempts = [stores.pets.create(rex), addOnce(stores, rex, { caller: 'test', token: 't' })];
  return (await Promise.allSettled(attempts)).map((attempt) => {
    if (attempt.status === 'fulfilled') throw new Error('It was added.');
    return attempt.reason as Error;
  });
}

afterEach(async () => {
  const admin = await connect(db.postgres.url);
  await admin.query('alter database postgres reset all');
  await admin.end();
});

describe('a write that PostgreSQL refuses', () => {
  it.each([
    ['54000', 'transaction ids that are used up'],
    ['58030', 'an error of the disk'],
    ['53200', 'memory that is used up'],
    ['XX001', 'a damaged table'],
    ['72000', 'a snapshot that is too old'],
    ['P0001', 'a trigger of the operator'],
    ['99999', 'what no version has said so far'],
  ])('for a reason of the server (%s, %s) is unavailable, and the reason is told', async (sqlState) => {
    await refuseWith(sqlState);
    for (const error of await refusals()) {
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(error.message).toBe(
        `The database refuses what it is asked for: refused by the test (${sqlState}).`,
      );
    }
  });

  it.each(['53100'])('because its disk is full (%s) says what to do', async (sqlState) => {
    await refuseWith(sqlState);
    for (const { message } of await refusals()) expect(message).toContain('free space');
  });

  it.each(['57014', '55P03', '08006'])('for want of a response (%s) is told so', async (sqlState) => {
    await refuseWith(sqlState);
    for (const error of await refusals()) {
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(error.message).toBe('The database cannot be reached or does not respond.');
    }
  });

  it.each([
    ['21000', 'several rows where one was expected'],
    ['22003', 'a number that is out of range'],
    ['23514', 'a rule of a table'],
    ['42501', 'a missing right'],
    ['42P01', 'a missing table'],
  ])('for a defect of the statement (%s, %s) stays a defect', async (sqlState) => {
    await refuseWith(sqlState);
    for (const error of await refusals()) {
      expect(error).not.toBeInstanceOf(StoreUnavailableError);
      expect(error.message).toContain('refused by the test');
    }
  });
});

it.each<[string, () => Promise<unknown>, code: string | undefined]>([
  ['a defect', () => Promise.reject(new TypeError('x')), undefined],
  ['a file that is not there', () => readFile('/nowhere/at/all'), 'ENOENT'],
  ['a folder in the place of a file', () => readFile('/'), 'EISDIR'],
  // Five letters, as a SQLSTATE has.
  ['a file that is in use', () => Promise.reject(Object.assign(new Error('x'), { code: 'EBUSY' })), 'EBUSY'],
  ['another server', () => once(connectTo(1, '127.0.0.1'), 'connect'), 'ECONNREFUSED'],
])(
  'the error of %s within a unit of work is none of the database, and stays what it is',
  async (_what, fail, code) => {
    let thrown: unknown;
    const failed = db.stores.unitOfWork.run(() =>
      fail().catch((error: unknown) => {
        thrown = error;
        throw error;
      }),
    );
    expect(await failed.catch((error: unknown) => error)).toBe(thrown);
    expect((thrown as NodeJS.ErrnoException).code).toBe(code);
  },
);

describe('a server that gives no transaction ids any more', () => {
  // As PostgreSQL does for all writers; its own function cannot be made to.
  const EXHAUSTED = `
    create schema exhausted;
    create function exhausted.pg_current_xact_id() returns xid8 language plpgsql as $$
    begin
      raise exception 'database is not accepting commands to avoid wraparound data loss'
        using errcode = 'program_limit_exceeded';
    end $$`;

  beforeEach(() => db.query(EXHAUSTED));
  afterEach(() => db.query('drop schema exhausted cascade'));

  it('is ready for reads, and for writes as soon as it gives some', async () => {
    await db.query('alter database postgres set search_path = exhausted, pg_catalog, public');
    await refuseWith('54000');
    const stores = await db.open();
    const health = new DatabaseHealth(stores.database);
    expect(await health.check()).toBe('read_only');
    await expect(stores.pets.create(rex)).rejects.toThrow(StoreUnavailableError);
    expect(await stores.pets.list({ limit: 20 })).toMatchObject({ json: '[]' });
    await db.query('alter database postgres reset all');
    await db.terminateSessions();
    const again = await db.open();
    expect(await new DatabaseHealth(again.database).check()).toBe('ok');
    expect(await again.pets.create(rex)).toMatchObject(rex);
  });
});
