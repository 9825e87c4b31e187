import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { waitFor } from '@petstore/testing';
import { DatabaseHealth } from '../src/database/database-health.js';
import { TestDatabase } from './test-database.js';

const db = new TestDatabase();

/** What a unit of work and a statement of a pipelined pool are refused with by PostgreSQL that says this. */
async function refusals(sqlState: string): Promise<Error[]> {
  const text = `do $$ begin raise exception 'refused by the test' using errcode = '${sqlState}'; end $$`;
  const { database, unitOfWork } = db.stores;
  const attempts = [
    unitOfWork.run(({ manager }) => manager.query(text)),
    database.inserts.query({ name: `refused_${sqlState}`, text }),
  ];
  return (await Promise.allSettled(attempts)).map((attempt) => {
    if (attempt.status === 'fulfilled') throw new Error('It was not refused.');
    return attempt.reason as Error;
  });
}

const told = (sqlState: string): string =>
  `The database refuses what it is asked for: refused by the test (${sqlState}).`;
const NO_RESPONSE = 'The database cannot be reached or does not respond.';

it.each<[sqlState: string, what: string, message: string]>([
  ['54000', 'transaction ids that are used up', told('54000')],
  ['58030', 'an error of the disk', told('58030')],
  ['53200', 'memory that is used up', told('53200')],
  ['XX001', 'a damaged table', told('XX001')],
  ['72000', 'a snapshot that is too old', told('72000')],
  ['P0001', 'a trigger of the operator', told('P0001')],
  ['99999', 'what no version has said so far', told('99999')],
  ['53100', 'a disk that is full', 'The disk of the database is full: free space on it.'],
  ['57014', 'a time limit', NO_RESPONSE],
  ['55P03', 'a lock that was not given', NO_RESPONSE],
  ['08006', 'a lost connection', NO_RESPONSE],
])(
  'a database that refuses for a reason of its own (%s, %s) is unavailable',
  async (sqlState, _what, message) => {
    for (const error of await refusals(sqlState)) {
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(error.message).toBe(message);
    }
  },
);

it.each([
  ['21000', 'several rows where one was expected'],
  ['22003', 'a number that is out of range'],
  ['23514', 'a rule of a table'],
  ['42501', 'a missing right'],
  ['42P01', 'a missing table'],
])('a defect of a statement (%s, %s) stays a defect', async (sqlState) => {
  for (const error of await refusals(sqlState)) {
    expect(error).not.toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toContain('refused by the test');
  }
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

it('a server that gives no transaction ids any more is ready for reads, and for writes as soon as it gives some', async () => {
  // As PostgreSQL does for all writers; its own function cannot be made to.
  await db.query(`
    create schema exhausted;
    create function exhausted.pg_current_xact_id() returns xid8 language plpgsql as $$
    begin
      raise exception 'database is not accepting commands to avoid wraparound data loss'
        using errcode = 'program_limit_exceeded';
    end $$;
    alter database postgres set search_path = exhausted, pg_catalog, public`);
  const health = new DatabaseHealth((await db.open()).database);
  expect(await health.check()).toBe('read_only');
  await db.query('alter database postgres reset all; drop schema exhausted cascade');
  await db.terminateSessions();
  await waitFor(async () => (await health.check()) === 'ok');
});
