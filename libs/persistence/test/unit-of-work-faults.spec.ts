import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@petstore/pet-domain';
import type { PostgresTransaction } from '../src/unit-of-work/postgres-transaction.js';
import { count, Counters, sql } from './counters.js';
import { LATEST } from './questions.js';
import { soon } from './soon.js';

let counters: Counters;

beforeAll(async () => {
  counters = await Counters.start('unit-of-work-faults');
});
afterAll(() => counters.stop());
beforeEach(() => counters.reset());

describe('transactions that lose against others', () => {
  it('are tried again until they win', async () => {
    let tries = 0;
    let bothHaveRead: (() => void) | undefined;
    const haveRead = new Promise<void>((resolve) => (bothHaveRead = resolve));
    const work = (): Promise<unknown> =>
      counters.run(async (transaction) => {
        await transaction.ask(sql('set transaction isolation level repeatable read'));
        const [[row] = []] = await transaction.ask(sql(`select n from counters where name = 'a'`));
        if (++tries === 2) bothHaveRead?.();
        await haveRead;
        const next = String(Number(row?.[0]) + 1);
        await transaction.ask(sql(`update counters set n = $1 where name = 'a'`, next));
      });
    await Promise.all([work(), work()]);
    expect(await counters.read()).toEqual(['2', '0']);
    expect(tries).toBe(3);
  });

  it('are tried again after a deadlock', async () => {
    await counters.admin.query(`alter system set deadlock_timeout = '20ms'`);
    await counters.admin.query('select pg_reload_conf()');
    let deadlocks = 0;
    const work = (first: 'a' | 'b', second: 'a' | 'b'): Promise<unknown> =>
      counters.run(async (transaction) => {
        await transaction.ask(count(first));
        await transaction.ask(sql('select pg_sleep(0.05)'));
        await transaction.ask(count(second)).catch((error: unknown) => {
          if ((error as { code?: string }).code === '40P01') deadlocks++;
          throw error;
        });
      });
    await Promise.all([work('a', 'b'), work('b', 'a')]);
    expect(deadlocks).toBeGreaterThan(0);
    expect(await counters.read()).toEqual(['2', '2']);
    await counters.admin.query('alter system reset deadlock_timeout');
    await counters.admin.query('select pg_reload_conf()');
  });

  it('fail as a store that does not respond when they never win, and keep nothing', async () => {
    let tries = 0;
    const failed = counters.run(async (transaction) => {
      tries++;
      await transaction.ask(count('a'));
      await transaction.ask(sql(`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`));
    });
    await expect(failed).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(tries).toBe(4);
    expect(await counters.read()).toEqual(['0', '0']);
  });
});

describe('a session that ends in the middle', () => {
  const end = (): Promise<unknown> =>
    counters.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'unit-of-work-faults' and state = 'idle in transaction'`,
    );

  it.each([
    ['before the next statement', (transaction: PostgresTransaction) => transaction.ask(count('b'))],
    [
      'before the next statement of TypeORM',
      async (transaction: PostgresTransaction): Promise<unknown> =>
        (await transaction.manager()).query('select 1'),
    ],
    ['before the commit', () => Promise.resolve()],
    [
      'before the commit of deferred statements',
      (transaction: PostgresTransaction) => {
        transaction.defer(count('b'));
        return Promise.resolve();
      },
    ],
  ])('%s fails as a store that does not respond, and nothing is kept', async (_when, next) => {
    const failed = counters.run(async (transaction) => {
      await transaction.ask(count('a'));
      await end();
      await next(transaction);
    });
    await expect(failed).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await counters.read()).toEqual(['0', '0']);
    await counters.run((transaction) => transaction.ask(count('a')));
    expect(await counters.read()).toEqual(['1', '0']);
  });

  it('leaves no connection behind, however many do', async () => {
    for (let n = 0; n < 20; n++) {
      await counters
        .run(async (transaction) => {
          await transaction.ask(count('a'));
          await end();
          await transaction.ask(count('b'));
        })
        .catch(() => undefined);
    }
    expect(
      await Promise.all(Array.from({ length: 12 }, () => counters.run((t) => t.ask(sql('select 1'))))),
    ).toHaveLength(12);
    await soon(() => {
      expect(counters.database.poolStats()).toMatchObject({ waiting: 0 });
      expect(counters.database.poolStats().total).toBe(counters.database.poolStats().idle);
      return Promise.resolve();
    });
  });
});

describe('time limits', () => {
  it('end a unit of work that waits for a lock, or that works too long', async () => {
    await counters.admin.query('begin; select from counters for update');
    for (const work of [
      (transaction: PostgresTransaction) => transaction.ask(count('a')),
      (transaction: PostgresTransaction) => transaction.ask(sql('select pg_sleep(10)')),
      async (transaction: PostgresTransaction) => {
        for (;;) await transaction.ask(sql('select pg_sleep(0.05)'));
      },
    ]) {
      const since = performance.now();
      await expect(counters.run(work)).rejects.toBeInstanceOf(StoreUnavailableError);
      expect(performance.now() - since).toBeLessThan(LATEST);
    }
    await counters.admin.query('rollback');
    await counters.run((transaction) => transaction.ask(count('a')));
    expect(await counters.read()).toEqual(['1', '0']);
  });
});
