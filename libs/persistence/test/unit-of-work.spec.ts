import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError, Transaction } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { hash } from 'node:crypto';
import { Client, Connection } from 'pg';
import type { Database } from '../src/database/database.js';
import { openDatabase } from '../src/database/database.js';
import { PetRow } from '../src/pet/pet.row.js';
import { bound, PostgresTransaction } from '../src/unit-of-work/postgres-transaction.js';
import { addOnce } from './add-once.js';
import { LATEST, rex } from './questions.js';
import { soon } from './soon.js';

let postgres: TestPostgres;
let database: Database;
let admin: Client;

beforeAll(async () => {
  postgres = await startTestPostgres();
  database = await openDatabase({ url: postgres.url, applicationName: 'unit-of-work', poolSize: 5 });
  await database.migrate();
  admin = new Client(postgres.url);
  await admin.connect();
  await admin.query('create table counters (name text primary key, n bigint not null)');
});
afterAll(async () => {
  await admin.end();
  await database.close();
  await postgres.stop();
});
beforeEach(async () => {
  await admin.query('truncate pets, counters, idempotent_requests, add_requests');
  await admin.query(`insert into counters values ('a', 0), ('b', 0)`);
});

const sql = (text: string, ...values: (string | null)[]): ReturnType<typeof bound> =>
  bound({ name: hash('sha1', text), text }, ...values);
const run = <T>(work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> =>
  database.unitOfWork.run((transaction) => work(PostgresTransaction.of(transaction)));
const add = (name: string): ReturnType<typeof bound> =>
  sql('update counters set n = n + 1 where name = $1 returning n', name);
const counters = async (): Promise<string[]> =>
  (await admin.query<{ n: string }>('select n from counters order by name')).rows.map(({ n }) => n);
const pets = async (): Promise<number> => (await admin.query('select from pets')).rowCount ?? 0;

describe('a unit of work', () => {
  it('commits the changes of several stores together', async () => {
    const result = await run(async (transaction) => {
      await transaction.ask(add('a'));
      const pet = await database.pets.add(rex, transaction);
      transaction.defer(add('b'));
      return pet.name;
    });
    expect(result).toBe('Rex');
    expect(await counters()).toEqual(['1', '1']);
    expect(await pets()).toBe(1);
  });

  it('keeps nothing when its work fails, whose error passes unchanged', async () => {
    const failure = new Error('no');
    const failed = run(async (transaction) => {
      await transaction.ask(add('a'));
      await database.pets.add(rex, transaction);
      transaction.defer(add('b'));
      throw failure;
    });
    await expect(failed).rejects.toBe(failure);
    expect(await counters()).toEqual(['0', '0']);
    expect(await pets()).toBe(0);
  });

  it('is not committed when its work goes on after a statement that failed', async () => {
    const failed = run(async (transaction) => {
      await transaction.ask(add('a'));
      await transaction.ask(sql('select 1 / 0')).catch(() => undefined);
    });
    await expect(failed).rejects.toThrow('it was rolled back');
    expect(await counters()).toEqual(['0', '0']);
  });

  it('keeps nothing when a deferred statement fails', async () => {
    const failed = run(async (transaction) => {
      await transaction.ask(add('a'));
      transaction.defer(sql(`insert into counters values ('a', 1)`), add('b'));
    });
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    expect(await counters()).toEqual(['0', '0']);
  });

  it('sends deferred statements before those that are asked later', async () => {
    const rows = await run(async (transaction) => {
      transaction.defer(add('a'));
      const asked = await transaction.ask(add('a'), sql('select name, null, n > 1 from counters order by 1'));
      expect(await transaction.ask(sql('select 1'))).toEqual([[['1']]]);
      return asked;
    });
    expect(rows).toEqual([
      [['2']],
      [
        ['a', null, 't'],
        ['b', null, 'f'],
      ],
    ]);
  });

  it('asks nothing of the database when it has nothing to ask', async () => {
    const before = await writes(() => run(() => Promise.resolve()));
    expect(before).toBe(0);
  });

  it('takes three round trips for a creation that happens once, and two for its repetition', async () => {
    const once = (): Promise<unknown> => addOnce(database, rex, { caller: 'a', token: 'round-trips' });
    expect(await writes(once)).toBe(3);
    expect(await writes(once)).toBe(2);
  });

  it('cannot be used after its end', async () => {
    let kept: PostgresTransaction | undefined;
    await run((transaction) => {
      kept = transaction;
      return Promise.resolve();
    });
    await expect(kept?.ask(add('a'))).rejects.toThrow('This transaction has ended.');
    expect(() => kept?.defer(add('a'))).toThrow('This transaction has ended.');
    await expect(kept?.manager()).rejects.toThrow('This transaction has ended.');
    expect(await counters()).toEqual(['0', '0']);
  });

  it('refuses a transaction that is none', async () => {
    class Other extends Transaction {}
    await expect(database.pets.add(rex, new Other())).rejects.toThrow(TypeError);
  });
});

describe("TypeORM's manager", () => {
  it('works within the transaction, sees what it has changed, and is over when it is', async () => {
    const manager = await run(async (transaction) => {
      transaction.defer(add('a'));
      const entities = await transaction.manager();
      expect(await entities.query('select n from counters order by name')).toEqual([{ n: '1' }, { n: '0' }]);
      await entities.insert(PetRow, rex);
      await entities.save(PetRow, rex);
      expect(await entities.count(PetRow)).toBe(2);
      expect(await pets()).toBe(0);
      expect(await transaction.manager()).toBe(entities);
      return entities;
    });
    expect(await pets()).toBe(2);
    await expect(manager.count(PetRow)).rejects.toThrow('released');
  });

  it('is rolled back with the rest', async () => {
    const failed = run(async (transaction) => {
      await (await transaction.manager()).save(PetRow, rex);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await pets()).toBe(0);
  });

  it('makes savepoints of transactions within the transaction', async () => {
    await run(async (transaction) => {
      const entities = await transaction.manager();
      await entities.insert(PetRow, rex);
      const inner = entities.transaction(async (within) => {
        await within.insert(PetRow, rex);
        throw new Error('only this');
      });
      await expect(inner).rejects.toThrow('only this');
      await entities.transaction((within) => within.insert(PetRow, rex));
    });
    expect(await pets()).toBe(2);
  });
});

describe('transactions that lose against others', () => {
  it('are tried again until they win', async () => {
    let tries = 0;
    let bothHaveRead: (() => void) | undefined;
    const haveRead = new Promise<void>((resolve) => (bothHaveRead = resolve));
    const work = (): Promise<unknown> =>
      run(async (transaction) => {
        await transaction.ask(sql('set transaction isolation level repeatable read'));
        const [[row] = []] = await transaction.ask(sql(`select n from counters where name = 'a'`));
        if (++tries === 2) bothHaveRead?.();
        await haveRead;
        const next = String(Number(row?.[0]) + 1);
        await transaction.ask(sql(`update counters set n = $1 where name = 'a'`, next));
      });
    await Promise.all([work(), work()]);
    expect(await counters()).toEqual(['2', '0']);
    expect(tries).toBe(3);
  });

  it('are tried again after a deadlock', async () => {
    await admin.query(`alter system set deadlock_timeout = '20ms'`);
    await admin.query('select pg_reload_conf()');
    let deadlocks = 0;
    const work = (first: string, second: string): Promise<unknown> =>
      run(async (transaction) => {
        await transaction.ask(add(first));
        await transaction.ask(sql('select pg_sleep(0.05)'));
        await transaction.ask(add(second)).catch((error: unknown) => {
          if ((error as { code?: string }).code === '40P01') deadlocks++;
          throw error;
        });
      });
    await Promise.all([work('a', 'b'), work('b', 'a')]);
    expect(deadlocks).toBeGreaterThan(0);
    expect(await counters()).toEqual(['2', '2']);
    await admin.query('alter system reset deadlock_timeout');
    await admin.query('select pg_reload_conf()');
  });

  it('fail as a store that does not answer when they never win, and keep nothing', async () => {
    let tries = 0;
    const failed = run(async (transaction) => {
      tries++;
      await transaction.ask(add('a'));
      await transaction.ask(sql(`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`));
    });
    await expect(failed).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(tries).toBe(4);
    expect(await counters()).toEqual(['0', '0']);
  });
});

describe('a session that ends in the middle', () => {
  const end = (): Promise<unknown> =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'unit-of-work' and state = 'idle in transaction'`,
    );

  it.each([
    ['before the next statement', (transaction: PostgresTransaction) => transaction.ask(add('b'))],
    [
      'before the next statement of TypeORM',
      async (transaction: PostgresTransaction): Promise<unknown> =>
        (await transaction.manager()).query('select 1'),
    ],
    ['before the commit', () => Promise.resolve()],
    [
      'before the commit of deferred statements',
      (transaction: PostgresTransaction) => {
        transaction.defer(add('b'));
        return Promise.resolve();
      },
    ],
  ])('%s fails as a store that does not answer, and nothing is kept', async (_when, next) => {
    const failed = run(async (transaction) => {
      await transaction.ask(add('a'));
      await end();
      await next(transaction);
    });
    await expect(failed).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await counters()).toEqual(['0', '0']);
    await run((transaction) => transaction.ask(add('a')));
    expect(await counters()).toEqual(['1', '0']);
  });

  it('leaves no connection behind, however many do', async () => {
    for (let n = 0; n < 20; n++) {
      await run(async (transaction) => {
        await transaction.ask(add('a'));
        await end();
        await transaction.ask(add('b'));
      }).catch(() => undefined);
    }
    expect(
      await Promise.all(Array.from({ length: 12 }, () => run((t) => t.ask(sql('select 1'))))),
    ).toHaveLength(12);
    await soon(() => {
      expect(database.poolStats()).toMatchObject({ waiting: 0 });
      expect(database.poolStats().total).toBe(database.poolStats().idle);
      return Promise.resolve();
    });
  });
});

describe('time limits', () => {
  it('end a unit of work that waits for a lock, or that works too long', async () => {
    await admin.query('begin; select from counters for update');
    for (const work of [
      (transaction: PostgresTransaction) => transaction.ask(add('a')),
      (transaction: PostgresTransaction) => transaction.ask(sql('select pg_sleep(10)')),
      async (transaction: PostgresTransaction) => {
        for (;;) await transaction.ask(sql('select pg_sleep(0.05)'));
      },
    ]) {
      const since = performance.now();
      await expect(run(work)).rejects.toBeInstanceOf(StoreUnavailableError);
      expect(performance.now() - since).toBeLessThan(LATEST);
    }
    await admin.query('rollback');
    await run((transaction) => transaction.ask(add('a')));
    expect(await counters()).toEqual(['1', '0']);
  });
});

/** How often something is written to the database while `work` runs: each Sync ends a round trip. */
async function writes(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = Connection as unknown as { readonly prototype: { sync: (this: object) => void } };
  const { sync } = prototype;
  let syncs = 0;
  prototype.sync = function (this: object) {
    syncs++;
    sync.call(this);
  };
  try {
    await work();
  } finally {
    prototype.sync = sync;
  }
  return syncs;
}
