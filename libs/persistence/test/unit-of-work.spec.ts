import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { PetEvent, StoreUnavailableError } from '@petstore/pet-domain';
import { waitFor } from '@petstore/testing';
import type { Transaction } from '../src/unit-of-work/transaction.js';
import { rex } from './pet-actions.js';
import { HURRIED, TestDatabase } from './test-database.js';

const db = new TestDatabase();

const kept = async (): Promise<unknown> => ({
  pets: await db.count('pets'),
  events: await db.count('outbox'),
});
/** How often `work` notifies of events. */
async function notificationsOf(work: () => Promise<unknown>): Promise<number> {
  let notifications = 0;
  const unlisten = db.stores.eventNotifier.listen(() => notifications++);
  await work();
  unlisten();
  return notifications;
}

async function create(tx: Transaction): Promise<void> {
  tx.emit(...(await tx.pets.insert([{ pet: rex }])).map(PetEvent.created));
}
async function endSession(tx: Transaction): Promise<void> {
  const [{ pid }] = await tx.manager.query<[{ pid: number }]>('select pg_backend_pid() as pid');
  await db.query('select pg_terminate_backend($1)', [pid]);
  await waitFor(async () => (await db.count(`pg_stat_activity where pid = ${pid}`)) === 0);
}

describe('a unit of work', () => {
  it('commits its changes with their events, in the order in which they were emitted, and notifications once', async () => {
    const events = Array.from({ length: 20 }, (_, n) => ({
      type: n % 3 === 0 ? ('pet.created' as const) : ('pet.updated' as const),
      audience: n % 2 === 0 ? undefined : 'key_1',
      data: `{"n":${n}}`,
    }));
    const work = (): Promise<unknown> =>
      db.stores.unitOfWork.run(async (tx) => {
        await tx.pets.insert([{ pet: rex }, { pet: rex }]);
        for (const event of events) tx.emit(event);
      });
    expect(await notificationsOf(work)).toBe(1);
    expect(await kept()).toEqual({ pets: 2, events: 20 });
    expect(await db.query('select type, resource, audience, data from outbox order by id')).toEqual(
      events.map((event) => ({ ...event, audience: event.audience ?? null, resource: 'pet' })),
    );
  });

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['its work fails', () => Promise.reject(new Error('no'))],
    ['a statement fails', (tx) => tx.manager.query('select 1 / 0')],
    ['the error of a statement is caught', (tx) => tx.manager.query('select 1 / 0').catch(() => 0)],
    ['its session ends', (tx) => tx.manager.query('select pg_terminate_backend(pg_backend_pid())')],
    ['its session ends between two statements', endSession],
  ])('keeps nothing when %s, and leaves a connection that works', async (_what, fail) => {
    let cause: unknown;
    const work = async (): Promise<void> => {
      const failed = db.stores.unitOfWork.run(async (tx) => {
        await create(tx);
        await fail(tx).catch((error: unknown) => {
          cause = error;
          throw error;
        });
      });
      const error: unknown = await failed.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      // It passes unchanged, unless the database was unavailable.
      if (!(error instanceof StoreUnavailableError) && cause !== undefined) expect(error).toBe(cause);
    };
    expect(await notificationsOf(work)).toBe(0);
    expect(await kept()).toEqual({ pets: 0, events: 0 });
    await db.stores.unitOfWork.run(create);
    expect(await kept()).toEqual({ pets: 1, events: 1 });
  });

  it('is tried again when it loses a deadlock', async () => {
    const [one, two] = [await db.stores.pets.create(rex), await db.stores.pets.create(rex)];
    let [calls, locked] = [0, 0];
    const lock = (first: string, second: string): Promise<void> =>
      db.stores.unitOfWork.run(async ({ manager }) => {
        calls++;
        await manager.query('select from pets where id = $1 for update', [first]);
        locked++;
        await waitFor(() => locked >= 2);
        await manager.query('select from pets where id = $1 for update', [second]);
      });
    await Promise.all([lock(one.id, two.id), lock(two.id, one.id)]);
    // Once more when the first to try again locks its row before the other one has been woken.
    expect(calls).toBeGreaterThanOrEqual(3);
  });

  // None of these would end by itself before the test does.
  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['waits for a lock', ({ manager }) => manager.query('select from pets for update')],
    ['works too long', ({ manager }) => manager.query('select pg_sleep(60)')],
    [
      'does many things in a row',
      async ({ manager }) => {
        for (;;) await manager.query('select pg_sleep(0.1)');
      },
    ],
  ])('that %s ends as unavailable, and the pool has a connection for the next one', async (_what, work) => {
    const { database, pets, unitOfWork } = await db.open(HURRIED);
    await pets.create(rex);
    await db.query('begin; select from pets for update');
    await expect(unitOfWork.run(work)).rejects.toThrow(StoreUnavailableError);
    await database.manager.query('select 1');
    expect(database.poolStats().waiting).toBe(0);
  });

  it('runs one at a time of those that name the same row, and others beside them', async () => {
    const [running, most] = [new Map<string, number>(), { row: 0, all: 0 }];
    const work = async (row: string): Promise<void> => {
      running.set(row, (running.get(row) ?? 0) + 1);
      const all = [...running.values()];
      most.row = Math.max(most.row, ...all);
      most.all = Math.max(
        most.all,
        all.reduce((sum, n) => sum + n),
      );
      await sleep(20);
      running.set(row, (running.get(row) ?? 0) - 1);
    };
    await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const row = `pet ${n % 3}`;
        return db.stores.unitOfWork.run(() => work(row), { serialize: row });
      }),
    );
    expect(most).toEqual({ row: 1, all: 3 });
  });
});
