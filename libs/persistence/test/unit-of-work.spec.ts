import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PetEvent, StoreUnavailableError } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import type { Transaction } from '../src/unit-of-work/transaction.js';
import { startMigratedServer } from './migrated-server.js';
import { LATEST, rex } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

let server: TestPostgres;
let stores: Stores;
let admin: Client;

beforeAll(async () => {
  server = await startMigratedServer();
  stores = await Stores.open({ url: server.url, applicationName: 'unit-of-work' });
  admin = new Client(server.url);
  await admin.connect();
});
afterAll(async () => {
  await stores.close();
  await admin.end();
  await server.stop();
});
beforeEach(() => admin.query('truncate pets, outbox restart identity'));

const kept = async (): Promise<{ pets: number; events: number }> => {
  const { rows } = await admin.query<{ pets: number; events: number }>(
    'select (select count(*)::int from pets) as pets, (select count(*)::int from outbox) as events',
  );
  return rows[0] ?? { pets: NaN, events: NaN };
};

async function create(tx: Transaction): Promise<void> {
  tx.emit(PetEvent.created(await tx.pets.insert(rex)));
}

describe('a unit of work', () => {
  it('commits its changes with their events, and signals that there are some', async () => {
    let signals = 0;
    const unlisten = stores.eventSignal.listen(() => signals++);
    await stores.unitOfWork.run(async (tx) => {
      await create(tx);
      await create(tx);
    });
    unlisten();
    expect(await kept()).toEqual({ pets: 2, events: 2 });
    expect(signals).toBe(1);
  });

  it('writes events in the order in which they were emitted', async () => {
    await stores.unitOfWork.run((tx) => {
      for (let n = 0; n < 20; n++)
        tx.emit({ type: `pet.${n}`, data: `{"n":${n}}`, audience: n % 2 === 0 ? undefined : 'key_1' });
      return Promise.resolve();
    });
    const { rows } = await admin.query('select type, resource, audience, data from outbox order by id');
    expect(rows).toEqual(
      Array.from({ length: 20 }, (_, n) => ({
        type: `pet.${n}`,
        resource: 'pet',
        audience: n % 2 === 0 ? null : 'key_1',
        data: `{"n":${n}}`,
      })),
    );
  });

  it.each([
    ['its work fails', () => Promise.reject(new Error('no'))],
    ['a statement fails', (tx: Transaction) => tx.manager.query('select 1 / 0')],
    [
      'the error of a statement is caught',
      (tx: Transaction) => tx.manager.query('select 1 / 0').catch(() => 0),
    ],
    [
      'its session ends',
      (tx: Transaction) => tx.manager.query('select pg_terminate_backend(pg_backend_pid())'),
    ],
    ['its session ends between two statements', endSession],
  ])('keeps nothing when %s, and leaves a connection that works', async (_what, fail) => {
    let signals = 0;
    const unlisten = stores.eventSignal.listen(() => signals++);
    const failed = stores.unitOfWork.run(async (tx) => {
      await create(tx);
      await fail(tx);
    });
    await expect(failed).rejects.toThrow();
    unlisten();
    expect({ ...(await kept()), signals }).toEqual({ pets: 0, events: 0, signals: 0 });
    await stores.unitOfWork.run(create);
    expect(await kept()).toEqual({ pets: 1, events: 1 });
  });

  async function endSession(tx: Transaction): Promise<void> {
    const [{ pid }] = await tx.manager.query<[{ pid: number }]>('select pg_backend_pid() as pid');
    await admin.query('select pg_terminate_backend($1)', [pid]);
    await soon(async () => {
      const { rowCount } = await admin.query('select from pg_stat_activity where pid = $1', [pid]);
      expect(rowCount).toBe(0);
    });
  }

  it('passes the error of its work unchanged', async () => {
    const failure = new Error('no');
    await expect(stores.unitOfWork.run(() => Promise.reject(failure))).rejects.toBe(failure);
  });

  it('is tried again when it loses a deadlock', async () => {
    const ids = await Promise.all([stores.pets.create(rex), stores.pets.create(rex)]).then((pets) =>
      pets.map(({ id }) => id),
    );
    let calls = 0;
    const inOrder = (order: readonly string[]): Promise<void> =>
      stores.unitOfWork.run(async ({ manager }) => {
        calls++;
        for (const id of order) {
          await manager.query('select from pets where id = $1 for update', [id]);
          await manager.query('select pg_sleep(0.05)');
        }
      });
    const patient = await Stores.open({ url: server.url, answerTimeoutMs: 10_000 });
    await Promise.all([inOrder(ids), inOrder([...ids].reverse())]).catch((error: unknown) => {
      // The lock timeout may come before PostgreSQL has looked for a deadlock.
      expect(error).toBeInstanceOf(StoreUnavailableError);
    });
    await patient.close();
    expect(calls).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['waits for a lock', 'select from pets for update'],
    ['works too long', 'select pg_sleep(5)'],
  ])('that %s ends in time as unavailable', async (_what, statement) => {
    await stores.pets.create(rex);
    await admin.query('begin; select from pets for update');
    const since = performance.now();
    const failed = stores.unitOfWork.run(({ manager }) => manager.query(statement));
    await expect(failed).rejects.toThrow(StoreUnavailableError);
    expect(performance.now() - since).toBeLessThan(LATEST);
    await admin.query('rollback');
  });

  it('that does many things in a row loses its connection in time, and the pool gets another one', async () => {
    const since = performance.now();
    const failed = stores.unitOfWork.run(async ({ manager }) => {
      for (;;) await manager.query('select pg_sleep(0.1)');
    });
    await expect(failed).rejects.toThrow(StoreUnavailableError);
    expect(performance.now() - since).toBeLessThan(LATEST);
    await stores.database.ping();
  });

  it('runs one at a time of those that name the same row, and others beside them', async () => {
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    };
    await Promise.all(Array.from({ length: 6 }, () => stores.unitOfWork.run(work, { serialize: 'pet 1' })));
    expect(most).toBe(1);
    await Promise.all(
      Array.from({ length: 6 }, (_, n) => stores.unitOfWork.run(work, { serialize: `pet ${n}` })),
    );
    expect(most).toBeGreaterThan(1);
  });
});
