import { expect } from '@jest/globals';
import {
  type OrderAction,
  type OrderId,
  type OrderReach,
  type OrderStore,
  type StoredOrder,
} from '@petstore/order-domain';
import { CategoryId, FreeText, type Pet, type PetId, PetName, type PetStatus } from '@petstore/pet-domain';
import type { OrderRules } from '../src/order/order-rules.js';
import type { DataSourceSettings } from '../src/schema/data-source.js';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';

export const RULES: OrderRules = { mostOpen: 100, holdHours: 72, pickupHours: 336 };

/** An event of any kind, as the feed has it. */
export interface AnyEvent {
  readonly id: number;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Which rows break the rules of orders and animals, in one snapshot: none in any committed state. */
const BROKEN = `
  select 'two orders' as what, pet_id as id from orders where status in ('placed', 'approved', 'delivered')
    group by pet_id having count(*) > 1
  union all
  select 'reserved, but not pending', orders.id from orders left join pets on pets.id = pet_id
    where orders.status in ('placed', 'approved') and pets.status is distinct from 'pending'
  union all
  select 'adopted, but not sold', orders.id from orders join pets on pets.id = pet_id
    where orders.status = 'delivered' and pets.status <> 'sold'`;

/** A database with some keys, whose events are sequenced when a test says so. */
export class Shop {
  private constructor(
    readonly feed: Feed,
    readonly orders: OrderStore,
  ) {}

  /**
   * With the keys `key_0` to `key_3`.
   *
   * @param settings of the database, other than usual
   */
  static async open(settings: Partial<DataSourceSettings> = {}): Promise<Shop> {
    const feed = await Feed.start(settings);
    await feed.admin.query(
      `insert into api_keys (id, name, plan, scopes, created_at)
       select 'key_' || n, 'test', 'free', '{orders:write}', now() from generate_series(0, 3) n`,
    );
    return new Shop(feed, feed.database.orders(RULES));
  }

  /** Another view of the same orders, under other rules. */
  under(rules: Partial<OrderRules>): OrderStore {
    return this.feed.database.orders({ ...RULES, ...rules });
  }

  close(): Promise<void> {
    return this.feed.stop();
  }

  async reset(): Promise<void> {
    await this.feed.admin.query('truncate orders, categories restart identity');
    await this.feed.reset();
  }

  pet(status: PetStatus = 'available', name = 'Rex'): Promise<Pet> {
    return this.feed.database.pets.add({
      name: known(PetName.parse(name)),
      categoryId: known(CategoryId.parse('7')),
      status,
    });
  }

  place(petId: PetId | string, key = 'key_0', reference?: string): Promise<StoredOrder> {
    return this.orders.place({ petId: petId as PetId, reference: textOf(reference) }, key);
  }

  /** An order of a new animal that has come to this state. */
  async orderAt(...actions: readonly OrderAction[]): Promise<{ readonly id: OrderId; readonly pet: Pet }> {
    const pet = await this.pet();
    const { id } = await this.place(pet.id);
    for (const action of actions) await this.act(id, action);
    return { id, pet };
  }

  async act(
    id: OrderId,
    action: OrderAction,
    reach: OrderReach = 'all',
    reason?: string,
  ): Promise<Record<string, unknown> | undefined> {
    const json = await this.orders.act({ id, action, reach, reason: textOf(reason) });
    return json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
  }

  async statusOf(pet: Pet): Promise<string | undefined> {
    const { rows } = await this.feed.admin.query<{ status: string }>(
      'select status from pets where id = $1',
      [pet.id],
    );
    return rows[0]?.status;
  }

  /** The row of an order. */
  async row(id: OrderId): Promise<Record<string, unknown>> {
    const { rows } = await this.feed.admin.query<Record<string, unknown>>(
      'select * from orders where id = $1',
      [id],
    );
    return rows[0] ?? {};
  }

  /** The texts of all events, as the feed holds them. */
  async eventTexts(): Promise<string[]> {
    await this.feed.drain();
    const { rows } = await this.feed.admin.query<{ json: string }>(
      'select json from events order by position',
    );
    return rows.map(({ json }) => json);
  }

  async events(): Promise<AnyEvent[]> {
    return (await this.eventTexts()).map((json) => JSON.parse(json) as AnyEvent);
  }

  /** How many PostgreSQL has found since the database was made. */
  async deadlocks(): Promise<string | undefined> {
    const { rows } = await this.feed.admin.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return rows[0]?.deadlocks;
  }

  async expectUnbroken(): Promise<void> {
    const { rows } = await this.feed.admin.query(BROKEN);
    expect(rows).toEqual([]);
  }
}

export function textOf(text: string | undefined): FreeText | undefined {
  return text === undefined ? undefined : known(FreeText.parse(text));
}

/** The name of the error that `work` rejects with, or `ok`. */
export function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
}

/** How often each outcome occurs. */
export function tally(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
