import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestPostgres } from '@petstore/test-servers';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../src/database/database.js';
import { blockLoop } from './block-loop.js';
import { startMigratedServer } from './migrated-server.js';
import { QUESTIONS } from './questions.js';

/** Longer than any limit of a connection. */
const BLOCKED = 1_500;

let server: TestPostgres;

beforeAll(async () => {
  server = await startMigratedServer();
});
afterAll(() => server.stop());

async function onDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase({ url: server.url });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

const askAll = (database: Database): Promise<unknown>[] =>
  Array.from({ length: 5 }, () => QUESTIONS.map(([, ask]) => ask(database))).flat();

function causesOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} ${causesOf(cause)}` : message;
}

/** Every query must have its result, whatever happened to the loop meanwhile. */
async function expectAnswers(answers: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(answers);
  const failures = settled.flatMap((one) =>
    one.status === 'rejected' ? [causesOf(one.reason as Error)] : [],
  );
  expect(failures).toEqual([]);
}

it('keeps every question when the loop is blocked in the turn in which they were asked', () =>
  onDatabase(async (database) => {
    const answers = askAll(database);
    blockLoop(BLOCKED);
    await expectAnswers(answers);
  }));

it.each([1, 4, 12])('keeps every question when the loop is blocked %i turns later', (turns) =>
  onDatabase(async (database) => {
    await expectAnswers(askAll(database));
    const { total } = database.poolStats();
    const answers = askAll(database);
    for (let n = 0; n < turns; n++) await turn();
    blockLoop(BLOCKED);
    await expectAnswers(answers);
    // No connection was cut either.
    expect(database.poolStats().total).toBeGreaterThanOrEqual(total);
  }),
);

it('keeps every question while connections are being made', () =>
  onDatabase(async (database) => {
    for (let n = 0; n < 3; n++) {
      const answers = askAll(database);
      await sleep(n);
      blockLoop(BLOCKED);
      await expectAnswers(answers);
    }
  }));

it('keeps every question when the loop is blocked again and again', () =>
  onDatabase(async (database) => {
    const answers: Promise<unknown>[] = [];
    for (let n = 0; n < 4; n++) {
      answers.push(...askAll(database));
      blockLoop(400);
      await turn();
    }
    await expectAnswers(answers);
  }));
