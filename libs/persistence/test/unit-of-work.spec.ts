import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { EventType } from '@petstore/event-feed';
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
/** How often `work` raises the signal of events. */
async function signalsOf(work: () => Promise<unknown>): Promise<number> {
  let signals = 0;
  const unlisten = db.stores.eventSignal.listen(() => signals++);
  await work();
  unlisten();
  return signals;
}

async function create(tx: Transaction): Promise<void> {
  tx.emit(...(await tx.pets.insert([rex])).map(PetEvent.created));
}
async function endSession(tx: Transaction): Promise<void> {
  const [{ pid }] = await tx.manager.query<[{ pid: number }]>('select pg_backend_pid() as pid');
  await db.query('select pg_terminate_backend($1)', [pid]);
  await waitFor(async () => (await db.count(`pg_stat_activity where pid = ${pid}`)) === 0);
}

describe('a unit of work', () => {
  it('commits its changes with their events, and signals that there are some', async () => {
    const work = (): Promise<void> =>
      db.stores.unitOfWork.run(async (tx) => {
        await create(tx);
        await create(tx);
      });
    expect(await signalsOf(work)).toBe(1);
    expect(await kept()).toEqual({ pets: 2, events: 2 });
  });

  it('writes events in the order in which they were emitted', async () => {
    const events = Array.from({ length: 20 }, (_, n) => ({
      type: n % 3 === 0 ? ('pet.created' as const) : ('pet.updated' as const),
      audience: n % 2 === 0 ? undefined : 'key_1',
      data: `{"n":${n}}`,
    }));
    await db.stores.unitOfWork.run((tx) => {
      for (const event of events) tx.emit(event);
      return Promise.resolve();
    });
    expect(await db.query('select type, resource, audience, data from outbox order by id')).toEqual(
      events.map((event) => ({ ...event, audience: event.audience ?? null, resource: 'pet' })),
    );
  });

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['its work fails', () => Promise.reject(new Error('no'))],
    [
      'it emits an event of a type that is not declared',
      (tx) =>
        Promise.resolve().then(() => {
          tx.emit({ type: 'pet.eaten' as EventType, data: '{}' });
        }),
    ],
    ['a statement fails', (tx) => tx.manager.query('select 1 / 0')],
    ['the error of a statement is caught', (tx) => tx.manager.query('select 1 / 0').catch(() => 0)],
    ['its session ends', (tx) => tx.manager.query('select pg_terminate_backend(pg_backend_pid())')],
    ['its session ends between two statements', endSession],
  ])('keeps nothing when %s, and leaves a connection that works', async (_what, fail) => {
    const work = async (): Promise<void> => {
      const failed = db.stores.unitOfWork.run(async (tx) => {
        await create(tx);
        await fail(tx);
      });
      await expect(failed).rejects.toThrow();
    };
    expect(await signalsOf(work)).toBe(0);
    expect(await kept()).toEqual({ pets: 0, events: 0 });
    await db.stores.unitOfWork.run(create);
    expect(await kept()).toEqual({ pets: 1, events: 1 });
  });

  it('passes the error of its work unchanged', async () => {
    const failure = new Error('no');
    await expect(db.stores.unitOfWork.run(() => Promise.reject(failure))).rejects.toBe(failure);
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
    await database.ping();
    expect(database.poolStats().waiting).toBe(0);
  });

  it('runs one at a time of those that name the same row, and others beside them', async () => {
    let [running, most] = [0, 0];
    const runAll = (rowOf: (n: number) => string, work: () => Promise<unknown>): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 4 }, (_, n) =>
          db.stores.unitOfWork.run(
            async () => {
              most = Math.max(most, ++running);
              await work();
              running--;
            },
            { serialize: rowOf(n) },
          ),
        ),
      );
    await runAll(
      () => 'pet 1',
      () => sleep(5),
    );
    expect(most).toBe(1);
    // Each waits for another one to run.
    await runAll(
      (n) => `pet ${n}`,
      () => waitFor(() => most > 1),
    );
  });
});
