import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventPage, EventPosition } from '@petstore/event-feed';
import type { PetId } from '@petstore/pet-domain';
import { type ReplicatedPostgres, startReplicatedPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../src/database/database.js';
import type { ReplicaState } from '../src/database/read-replica.js';
import type { DataSourceSettings } from '../src/schema/data-source.js';
import { known } from '../src/testing/known.js';
import { repeatDuring } from './outcomes.js';
import { rex } from './pet-actions.js';
import { Stores } from './stores.js';
import { connect, EVERYTHING } from './test-database.js';

let servers: ReplicatedPostgres;
let stores: Stores;
/** What the log is told. */
const states: ReplicaState[] = [];

beforeAll(async () => {
  servers = await startReplicatedPostgres((settings) => Database.open(settings));
  // Not 30 s: `after=latest` gives what is as old.
  stores = await open({ maxStandaloneAgeMs: 6_000, onReplicaChange: (state) => states.push(state) });
});
afterAll(async () => {
  await stores.close();
  await servers.replica.stop();
  await servers.primary.stop();
});

/** The primary serves what a replica responds to too late: not because the machine is busy. */
const open = (settings: Partial<DataSourceSettings> = {}): Promise<Stores> =>
  Stores.open({
    url: servers.primary.url,
    readUrl: servers.replica.url,
    responseTimeoutMs: 6_000,
    ...settings,
  });

const isServing = (): boolean => (stores.database.replica?.ageMs ?? Infinity) <= 5_000;
const untilServing = (): Promise<true> => waitFor(isServing);

async function onReplica(statement: string): Promise<void> {
  const session = await connect(servers.replica.url);
  await session.query(statement);
  await session.end();
}

/** Adds a pet, which the replica does not have yet if it is held. */
async function add(): Promise<PetId> {
  const { id } = await stores.pets.create(rex);
  return id;
}

const has = async (id: PetId, allowStale: boolean): Promise<boolean> =>
  (await stores.pets.find(id, allowStale)) !== undefined;

/** Reads again and again while something happens; no read may fail or hang. */
const readWhile = (happening: () => Promise<unknown>): Promise<unknown> =>
  repeatDuring(happening(), async () => {
    await stores.pets.list({ limit: 5 }, true);
    await sleep(5);
  });

describe('reads that may lag', () => {
  afterEach(() => untilServing());

  it('are served by the replica while it is at most 5 s behind, and others by the primary', async () => {
    await untilServing();
    await onReplica('select pg_wal_replay_pause()');
    const id = await add();
    try {
      expect(await has(id, false)).toBe(true);
      expect(await has(id, true)).toBe(false);
      expect(isServing()).toBe(true);
      await waitFor(() => !isServing());
      expect(await has(id, true)).toBe(true);
      await waitFor(() => states.at(-1) === 'excluded');
    } finally {
      await onReplica('select pg_wal_replay_resume()');
    }
    await waitFor(() => states.at(-1) === 'serving');
    expect(await has(id, true)).toBe(true);
  });

  it('go on while the replica is frozen', async () => {
    await untilServing();
    await readWhile(async () => {
      await servers.replica.pause();
      await waitFor(() => !isServing());
      await sleep(500);
    });
    servers.replica.resume();
  });

  it('go on while the replica is killed and started again', async () => {
    await untilServing();
    await readWhile(async () => {
      await servers.replica.kill();
      await waitFor(() => !isServing());
      await servers.replica.start();
      await untilServing();
    });
  });

  it('are not served by a server that is no standby', async () => {
    const others = await open({ readUrl: servers.primary.url });
    try {
      const id = await add();
      await sleep(1_200);
      expect(others.database.replica?.ageMs).toBe(Infinity);
      expect(await others.pets.find(id, true)).toContain('"Rex"');
    } finally {
      await others.close();
    }
  });

  it('find a replica that is not there at the start as soon as it is', async () => {
    await servers.replica.kill();
    const others = await open();
    try {
      await add();
      expect((await others.pets.list({ limit: 1 }, true)).json).toContain('"Rex"');
      await servers.replica.start();
      await waitFor(() => (others.database.replica?.ageMs ?? Infinity) <= 5_000);
    } finally {
      await others.close();
    }
  });
});

describe('the feed for a reader who may lag', () => {
  const read = (after: EventPosition | 'latest' | undefined, allowStale = true): Promise<EventPage> =>
    stores.eventFeed.read({ after, limit: 100, visibility: EVERYTHING }, allowStale);
  const sequenced = (): Promise<true> =>
    waitFor(async () => (await stores.sequencing.sequence(100)).sequenced > 0);

  it('never goes back when the reader meets a replica that is behind', async () => {
    await untilServing();
    await onReplica('select pg_wal_replay_pause()');
    try {
      await add();
      await sequenced();
      const { position } = await read(undefined, false);
      expect(isServing()).toBe(true);
      expect(EventPosition.compare((await read(undefined)).position, position)).toBeLessThan(0);
      expect((await read(position)).position).toBe(position);
      const beyond = known(EventPosition.parse(String(BigInt(position) + 1n)));
      await expect(read(beyond)).rejects.toMatchObject({ isBeyondNewest: true });
    } finally {
      await onReplica('select pg_wal_replay_resume()');
    }
  });

  it('begins at a position that every replica has reached that serves reads', async () => {
    const id = await add();
    await sequenced();
    const { position } = await read(undefined, false);
    expect(EventPosition.compare((await read('latest')).position, position)).toBeLessThan(0);
    expect((await read('latest', false)).position).toBe(position);
    await waitFor(async () => (await read('latest')).position === position);
    expect(await has(id, true)).toBe(true);
  });

  it('begins there as soon as a process knows the position', async () => {
    const since = performance.now();
    const others = await open();
    try {
      const { position } = await read(undefined, false);
      const first = await others.eventFeed.read({ after: 'latest', limit: 1, visibility: EVERYTHING }, true);
      expect(first).toEqual({ json: '[]', position });
      expect(performance.now() - since).toBeGreaterThan(5_000);
    } finally {
      await others.close();
    }
  });
});
