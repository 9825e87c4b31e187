import { EventNotifier } from '@petstore/event-feed';
import {
  type Order,
  type OrderAction,
  type OrderId,
  OrderPolicy,
  type OrderVisibility,
} from '@petstore/order-domain';
import { ApiError } from '@petstore/http-server';
import { Database, OrderStore, PetStore, OutboxStore, UnitOfWork } from '@petstore/persistence';
import {
  CategoryId,
  type Pet,
  type PetId,
  PetName,
  type PetPatch,
  type PetStatus,
} from '@petstore/pet-domain';
import { EMPTY_TABLES, startMigratedPostgres, type TestPostgres } from '@petstore/test-servers';
import { DeliveryNotifier } from '@petstore/webhook';
import { Client } from 'pg';
import { requireDocumented } from '../support/documented-events.js';
import { toApiError } from '../../src/http/error-mapper.js';
import { LinkBuilder } from '../../src/operations/link-builder.js';
import { OrdersService } from '../../src/orders/orders.service.js';
import { PetsService } from '../../src/pets/pets.service.js';

/** An event of any kind, as the feed has it. */
export interface AnyEvent {
  readonly id: number;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const PRECONDITION = { requireFor: () => undefined };
const POLICY = new OrderPolicy({ reservation: 72, pickup: 336 }, 100);
/** Requests that wait for others must not time out on a busy machine. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** The id of a key, by its number. */
export const keyOf = (n: number): string => `key_${String(n).padStart(16, '0')}`;

/**
 * The use cases of animals and orders on a database of their own, without HTTP: orders expire and events are sequenced when
 * a test says so.
 */
export class Shelter {
  readonly orders: OrdersService;
  private readonly pets: PetsService;
  private readonly petStore = new PetStore(this.database, new EventNotifier());
  private readonly sequencing: OutboxStore;

  private constructor(
    private readonly postgres: TestPostgres,
    private readonly database: Database,
    /** A session outside of everything. */
    readonly admin: Client,
  ) {
    const unitOfWork = new UnitOfWork(database, new EventNotifier());
    const links = new LinkBuilder('/v1');
    const orderStore = new OrderStore(database);
    this.orders = new OrdersService(orderStore, unitOfWork, POLICY, links);
    this.pets = new PetsService(this.petStore, unitOfWork, links);
    this.sequencing = new OutboxStore(unitOfWork, new DeliveryNotifier());
  }

  /** With the first four keys. */
  static async open(): Promise<Shelter> {
    const postgres = await startMigratedPostgres((settings) => Database.open(settings));
    const database = await Database.open({ url: postgres.url, responseTimeoutMs: RESPONSE_TIMEOUT_MS });
    const admin = new Client(postgres.url);
    await admin.connect();
    await admin.query(
      `insert into api_keys (id, name, plan, scopes, created_at)
       select unnest($1::text[]), 'test', 'free', '{orders:write}', now()`,
      [[0, 1, 2, 3].map(keyOf)],
    );
    return new Shelter(postgres, database, admin);
  }

  async close(): Promise<void> {
    await this.admin.end();
    await this.database.close();
    await this.postgres.stop();
  }

  /** As after the migration of an empty database. */
  async reset(): Promise<void> {
    await this.admin.query(EMPTY_TABLES);
  }

  pet(status: PetStatus = 'available'): Promise<Pet> {
    const [name, categoryId] = [PetName.parse('Rex'), CategoryId.parse('7')];
    if (name === undefined || categoryId === undefined) throw new Error('The pet is not one of the domain.');
    return this.petStore.create({ name, categoryId, status });
  }

  change({ id }: Pet, patch: PetPatch): Promise<Pet> {
    return this.pets.update(id, patch, PRECONDITION);
  }

  rename(pet: Pet): Promise<Pet> {
    return this.change(pet, { name: `${pet.name}.` as PetName });
  }

  remove({ id }: Pet): Promise<void> {
    return this.pets.delete(id, PRECONDITION);
  }

  async place(petId: PetId, caller = keyOf(0)): Promise<OrderId> {
    const { json } = await this.orders.place(caller, { petId }, undefined);
    return String((JSON.parse(json) as { id: number }).id) as OrderId;
  }

  act(id: OrderId, action: OrderAction, visibility: OrderVisibility = 'all'): Promise<Order> {
    return this.orders.act({ id, action, visibility });
  }

  /** An order of a new animal, after these actions. */
  async orderAfter(...actions: readonly OrderAction[]): Promise<{ readonly id: OrderId; readonly pet: Pet }> {
    const pet = await this.pet();
    const id = await this.place(pet.id);
    for (const action of actions) await this.act(id, action);
    return { id, pet };
  }

  async statusOf(table: 'pets' | 'orders', id: string): Promise<string | undefined> {
    const { rows } = await this.admin.query<{ status: string }>(`select status from ${table} where id = $1`, [
      id,
    ]);
    return rows[0]?.status;
  }

  /** Makes all open orders due, the one with the smallest id first. */
  async makeDue(): Promise<void> {
    await this.admin.query(
      `update orders set expires_at = now() - interval '1 hour' + id * interval '1 microsecond' where expires_at is not null`,
    );
  }

  /** All events, sequenced. */
  async events(): Promise<AnyEvent[]> {
    for (let hasMore = true; hasMore;) ({ hasMore } = await this.sequencing.sequence(1_000));
    const { rows } = await this.admin.query<{ json: string }>('select json from events order by position');
    const events = rows.map(({ json }) => JSON.parse(json) as AnyEvent);
    requireDocumented(events);
    return events;
  }
}

/** The code in the contract of the error that `work` rejects with, else the error; or `ok`. */
export function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error : toApiError(error))?.code ?? String(error),
  );
}
