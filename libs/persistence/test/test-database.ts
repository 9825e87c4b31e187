import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { EVENT_RESOURCES, type EventPosition, type EventVisibility } from '@petstore/event-feed';
import { EMPTY_TABLES, startMigratedPostgres, type TestPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { Client } from 'pg';
import { Database } from '../src/database/database.js';
import type { DataSourceSettings } from '../src/schema/data-source.js';
import { Stores } from './stores.js';

/** An animal of an event, with its int64 members as digits. */
export interface FeedPet {
  readonly id: string;
  readonly name: string;
  readonly categoryId: string;
  readonly status: string;
}

/** An event as readers get it, with its int64 members as digits. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly pet: FeedPet; readonly previous?: Partial<FeedPet> };
}

/** JSON with the int64 members as digits: names are escaped, so that none looks like a member. */
export const parseExact = (json: string): unknown =>
  JSON.parse(json.replace(/"(id|categoryId)":(\d+)/g, '"$1":"$2"'));

/** On a busy machine requests wait longer than they may. */
export const PATIENT = { responseTimeoutMs: 20_000 };

/**
 * For tests in which a request waits for a lock that it never gets: the server ends the wait after 1.6 s, and has 0.8 s
 * to say so.
 */
export const HURRIED = { responseTimeoutMs: 4_000 };

/** Sees every event. */
export const EVERYTHING: EventVisibility = { resources: EVENT_RESOURCES };

/** A server with the tables of the service and no connections. */
export const startMigratedServer = (): Promise<TestPostgres> =>
  startMigratedPostgres((settings) => Database.open(settings));

/** A connection that does not end the process when the server ends it. */
export async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * A database for all tests of a file, empty but for API keys before each of them; events are sequenced when a test says
 * so. It ends what a test opens with it, also when the test fails.
 */
export class TestDatabase {
  postgres!: TestPostgres;
  stores!: Stores;
  /** A session of the superuser; a transaction that a test leaves open in it is rolled back. */
  admin!: Client;
  private readonly opened: Stores[] = [];
  private readonly sessions: Client[] = [];

  constructor() {
    beforeAll(async () => {
      this.postgres = await startMigratedServer();
      this.admin = await connect(this.postgres.url);
      this.stores = await this.open();
    });
    beforeEach(() => this.reset());
    afterEach(async () => {
      await this.admin.query('rollback');
      await Promise.all(this.sessions.splice(0).map((session) => session.end()));
    });
    afterAll(async () => {
      await Promise.all(this.opened.map((stores) => stores.close()));
      // What a failed start has not opened is not there.
      await (this.admin as Client | undefined)?.end();
      await (this.postgres as TestPostgres | undefined)?.stop();
    });
  }

  /** Stores with connections of their own, as another process has them. */
  async open(settings: Partial<DataSourceSettings> = {}): Promise<Stores> {
    const stores = await Stores.open({ url: this.postgres.url, ...PATIENT, ...settings });
    this.opened.push(stores);
    return stores;
  }

  /** A session with transactions of its own, until the end of the test. */
  async session(): Promise<Client> {
    const session = await connect(this.postgres.url);
    this.sessions.push(session);
    return session;
  }

  /** As after the migration of an empty database, but for API keys. */
  async reset(): Promise<void> {
    await this.admin.query(EMPTY_TABLES);
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.admin.query<Row>(text, [...values])).rows;
  }

  async count(table: string): Promise<number> {
    const [row] = await this.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return row?.n ?? NaN;
  }

  /** Resolves when one session waits for a lock. */
  async untilBlocked(): Promise<void> {
    await waitFor(async () => (await this.count('pg_locks where not granted')) === 1);
  }

  /** Ends all other sessions. */
  async terminateSessions(): Promise<number> {
    const ended = await this.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    return ended.length;
  }

  /** Sequences until there is nothing left; how many events that were. */
  async drain(max = 1_000): Promise<number> {
    for (let total = 0; ;) {
      const { sequenced, hasMore, isBusy } = await this.stores.sequencing.sequence(max);
      total += sequenced;
      if (!hasMore && !isBusy) return total;
    }
  }

  /** All events, read page by page as a client does. */
  async events(): Promise<FeedEvent[]> {
    const all: FeedEvent[] = [];
    for (let after: EventPosition | undefined; ;) {
      const { json, position } = await this.stores.eventFeed.read({
        after,
        limit: 100,
        visibility: EVERYTHING,
      });
      const page = parseExact(json) as FeedEvent[];
      all.push(...page);
      if (page.length < 100) return all;
      after = position;
    }
  }

  /** The counters say of each category, and of all (category 0), what the table says. */
  async expectRightInventory(): Promise<void> {
    const counted = await this.query(
      `select coalesce(category_id, 0) as category_id, status, count(*) as animals from pets
       group by grouping sets ((category_id, status), (status)) order by 1, 2`,
    );
    expect(
      await this.query('select category_id, status, animals from inventory where animals <> 0 order by 1, 2'),
    ).toEqual(counted);
  }

  /**
   * Sequences what is left, and checks all that holds of a feed that has been kept since the first pet: positions
   * without a gap, one event for each change of an animal in the order of its changes, and animals and counters that are what
   * the events say.
   */
  async expectLaws(): Promise<FeedEvent[]> {
    await this.drain();
    const events = await this.events();
    expect(events.map(({ id }) => id)).toEqual(events.map((_event, at) => String(at + 1)));
    const pets = new Map<string, FeedPet>();
    for (const { id, type, data } of events) {
      if (!type.startsWith('pet.')) continue;
      const { pet, previous } = data;
      const before = pets.get(pet.id);
      if (type === 'pet.created') expect({ id, before }).toEqual({ id, before: undefined });
      else if (type === 'pet.deleted') expect({ id, before }).toEqual({ id, before: pet });
      else expect({ id, before }).toEqual({ id, before: { ...pet, ...previous } });
      if (type === 'pet.deleted') pets.delete(pet.id);
      else pets.set(pet.id, pet);
    }
    const rows = await this.query(
      'select id, name, category_id as "categoryId", status from pets order by id',
    );
    expect([...pets.values()].sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)))).toEqual(rows);
    await this.expectRightInventory();
    return events;
  }
}
