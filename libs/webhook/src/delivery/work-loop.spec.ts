import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { WorkLoop } from './work-loop.js';

let lines: string[];
/** When rounds began, in milliseconds. */
let begins: number[];
let loop: WorkLoop;
/** What rounds come to, in turn; there is nothing more to do behind the last one. */
let outcomes: (boolean | Error)[];

beforeEach(() => {
  jest.useFakeTimers();
  [lines, begins, outcomes] = [[], [], []];
  const note = (_fields: object, message: string): unknown => lines.push(message);
  loop = new WorkLoop(
    () => {
      begins.push(performance.now());
      const outcome = outcomes.shift() ?? false;
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
    { info: note, warn: note },
  );
});
afterEach(() => {
  jest.useRealTimers();
});

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const pauses = (): number[] => begins.slice(1).map((at, i) => at - (begins[i] ?? 0));

it('works at once when it is woken, and then at most once in 10 ms, however often it is', async () => {
  loop.start();
  loop.wake();
  await pass(0);
  expect(begins).toHaveLength(1);
  for (let n = 0; n < 30; n++) {
    loop.wake();
    await pass(1);
  }
  expect(pauses()).toEqual([10, 10, 10]);
});

it('works on while there is more, and then once a second', async () => {
  outcomes.push(true, true);
  loop.start();
  loop.wake();
  await pass(25);
  expect(pauses()).toEqual([10, 10]);
  await pass(1_000);
  expect(pauses()).toEqual([10, 10, 1_000]);
});

it('says once that it fails, waits for a second whoever wakes it, and says that it works again', async () => {
  outcomes.push(new Error('The database is unavailable.'));
  loop.start();
  loop.wake();
  await pass(0);
  for (let n = 0; n < 90; n++) {
    loop.wake();
    await pass(10);
  }
  expect(begins).toHaveLength(1);
  await pass(100);
  expect(begins).toHaveLength(2);
  expect(lines).toEqual(['delivering webhooks failed, retrying', 'delivering webhooks works again']);
});

it('does nothing before its start and after its end, until which it works on', async () => {
  loop.wake();
  await pass(2_000);
  expect(begins).toEqual([]);
  loop.start();
  const drained = loop.drain(() => begins.length === 2, 1_000);
  await pass(1_100);
  await drained;
  expect(begins).toHaveLength(2);
  loop.wake();
  await pass(2_000);
  expect(begins).toHaveLength(2);
});
