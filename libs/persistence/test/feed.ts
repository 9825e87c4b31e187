import { expect } from '@jest/globals';
import { EVENT_RESOURCES, type EventPosition, type EventVisibility } from '@petstore/event-feed';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import type { DataSourceSettings } from '../src/schema/data-source.js';
import { startMigratedServer } from './migrated-server.js';
import { Stores } from './stores.js';

/** An animal with its int64 members as digits. */
export interface ToldPet {
  readonly id: string;
  readonly name: string;
  readonly categoryId: string;
  readonly status: string;
}

/** An event as readers get it, with its int64 members as digits. */
export interface ToldEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly pet: ToldPet; readonly previous?: Partial<ToldPet> };
}

/** Events of a page: names are escaped, so that none looks like a member. */
export const parseEvents = (json: string): ToldEvent[] =>
  JSON.parse(json.replace(/"(id|categoryId)":(\d+)/g, '"$1":"$2"')) as ToldEvent[];

/** Sees every event. */
export const EVERYTHING: EventVisibility = { resources: EVENT_RESOURCES };

/** A database of its own whose events are sequenced when a test says so, and the laws that hold for all of it. */
export class Feed {
  private constructor(
    readonly postgres: TestPostgres,
    readonly stores: Stores,
    /** A session outside of everything. */
    readonly admin: Client,
  ) {}

  /** @param settings of the database, other than usual */
  static async start(settings: Partial<DataSourceSettings> = {}): Promise<Feed> {
    const postgres = await startMigratedServer();
    const stores = await Stores.open({ url: postgres.url, ...settings });
    const admin = new Client(postgres.url);
    await admin.connect();
    return new Feed(postgres, stores, admin);
  }

  async stop(): Promise<void> {
    await this.admin.end();
    await this.stores.close();
    await this.postgres.stop();
  }

  /** As after the migration of an empty database. */
  async reset(): Promise<void> {
    await this.admin.query('truncate pets, outbox, events, inventory, idempotent_requests restart identity');
    await this.admin.query('update event_head set position = 0, first = 0');
  }

  /** Sequences until there is nothing left; how many events that were. */
  async drain(most = 1_000): Promise<number> {
    for (let total = 0; ;) {
      const { sequenced, hasMore, isBusy } = await this.stores.sequencing.sequence(most);
      total += sequenced;
      if (!hasMore && !isBusy) return total;
    }
  }

  /** All events, read page by page as a client does. */
  async events(): Promise<ToldEvent[]> {
    const all: ToldEvent[] = [];
    for (let after: EventPosition | undefined; ;) {
      const { json, position } = await this.stores.eventFeed.read({
        after,
        limit: 100,
        visibility: EVERYTHING,
      });
      const page = parseEvents(json);
      all.push(...page);
      if (page.length < 100) return all;
      after = position;
    }
  }

  async count(table: string): Promise<number> {
    const { rows } = await this.admin.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return rows[0]?.n ?? NaN;
  }

  /** The counters say of each category, and of all (category 0), what the table says. */
  async expectRightInventory(): Promise<void> {
    const counted = await this.admin.query(
      `select coalesce(category_id, 0) as category_id, status, count(*) as animals from pets
       group by grouping sets ((category_id, status), (status)) order by 1, 2`,
    );
    const kept = await this.admin.query(
      'select category_id, status, animals from inventory where animals <> 0 order by 1, 2',
    );
    expect(kept.rows).toEqual(counted.rows);
  }

  /**
   * Sequences what is left, and checks all that holds of a feed that has been kept since the first animal: positions
   * without a gap, one event for each change of an animal in the order of its changes, and animals and counters that
   * are what the events say.
   */
  async expectLaws(): Promise<ToldEvent[]> {
    await this.drain();
    const events = await this.events();
    expect(events.map(({ id }) => id)).toEqual(events.map((_event, at) => String(at + 1)));
    const pets = new Map<string, ToldPet>();
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
    const { rows } = await this.admin.query<ToldPet>(
      'select id, name, category_id as "categoryId", status from pets order by id',
    );
    expect([...pets.values()].sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)))).toEqual(rows);
    await this.expectRightInventory();
    return events;
  }
}
