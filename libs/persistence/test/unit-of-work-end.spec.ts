import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { count, Counters, sql } from './counters.js';
import { roundTrips } from './round-trips.js';

let counters: Counters;

beforeAll(async () => {
  counters = await Counters.start('unit-of-work-end');
});
afterAll(() => counters.stop());
beforeEach(() => counters.reset());

describe('a unit of work', () => {
  it('can be committed with its last question, in one round trip, and is not committed again', async () => {
    let calls = 0;
    const committing = (): Promise<unknown> =>
      counters.run((transaction) => {
        transaction.defer(count('a'));
        transaction.afterCommit(() => calls++);
        return transaction.askAndCommit(count('b'));
      });
    expect(await roundTrips(committing)).toBe(1);
    expect(await committing()).toEqual([[['2']]]);
    expect(await counters.read()).toEqual(['2', '2']);
    expect(calls).toBe(2);
  });

  it('that committed with its last question stays committed, whatever its work does then', async () => {
    const failure = new Error('no');
    const failed = counters.run(async (transaction) => {
      await transaction.askAndCommit(count('a'));
      expect(() => {
        transaction.defer(count('b'));
      }).toThrow('This transaction has ended.');
      throw failure;
    });
    await expect(failed).rejects.toBe(failure);
    expect(await counters.read()).toEqual(['1', '0']);
  });

  it.each([
    ['fails', [sql('select 1 / 0')], { code: '22012' }],
    [
      'cannot be committed',
      [
        sql('create temp table late (n integer unique deferrable initially deferred) on commit drop'),
        sql('insert into late values (1), (1)'),
      ],
      { code: '23505' },
    ],
  ])('of one message keeps nothing when it %s', async (_how, last, error) => {
    const failed = counters.run(async (transaction) => {
      transaction.defer(count('a'));
      await transaction.askAndCommit(count('b'), ...last);
    });
    await expect(failed).rejects.toMatchObject(error);
    expect(await counters.read()).toEqual(['0', '0']);
  });

  it.each([
    ['fails', [sql('select 1 / 0')], { code: '22012' }],
    [
      'cannot be committed',
      [
        sql('create temp table late (n integer unique deferrable initially deferred) on commit drop'),
        sql('insert into late values (1), (1)'),
      ],
      { code: '23505' },
    ],
  ])('keeps nothing when its last question %s', async (_how, last, error) => {
    let calls = 0;
    const failed = counters.run(async (transaction) => {
      transaction.afterCommit(() => calls++);
      await transaction.ask(count('a'));
      await transaction.askAndCommit(count('b'), ...last);
    });
    await expect(failed).rejects.toMatchObject(error);
    expect(calls).toBe(0);
    expect(await counters.read()).toEqual(['0', '0']);
  });
});
