import { EventSignal } from '@petstore/event-feed';
import {
  type Order,
  type OrderAction,
  type OrderId,
  OrderPolicy,
  type OrderVisibility,
} from '@petstore/order-domain';
import {
  Database,
  type DataSourceSettings,
  IdempotencyStore,
  OrderStore,
  PetStore,
  SequencingStore,
  UnitOfWork,
} from '@petstore/persistence';
import {
  CategoryId,
  FreeText,
  type Pet,
  type PetId,
  PetName,
  type PetPatch,
  type PetStatus,
} from '@petstore/pet-domain';
import { startMigratedPostgres, type TestPostgres } from '@petstore/test-servers';
import { DeliverySignal } from '@petstore/webhook';
import { Client } from 'pg';
import { Idempotency } from '../src/idempotency/idempotency.js';
import { Links } from '../src/operations/links.js';
import { OrdersService } from '../src/orders/orders.service.js';
import { PetsService } from '../src/pets/pets.service.js';

/** An event of any kind, as the feed has it. */
export interface AnyEvent {
  readonly id: number;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const PRECONDITION = { requireFor: () => undefined };
const HOURS = { reservation: 72, pickup: 336 };

/** The use cases of pets and orders on a database of their own, without HTTP. Events are sequenced when a test says so. */
export class Shelter {
  readonly unitOfWork = new UnitOfWork(this.database, new EventSignal());
  readonly orderStore = new OrderStore(this.database);
  private readonly petStore = new PetStore(this.database, new EventSignal());
  private readonly idempotency = new Idempotency(new IdempotencyStore(this.unitOfWork), this.unitOfWork);
  private readonly sequencing = new SequencingStore(this.unitOfWork, new DeliverySignal());
  private readonly links = new Links('/v1');
  readonly pets = new PetsService(this.petStore, this.unitOfWork, this.idempotency, this.links);
  readonly orders = this.under();

  private constructor(
    readonly postgres: TestPostgres,
    readonly database: Database,
    /** A session outside of everything. */
    readonly admin: Client,
  ) {}

  /** With the keys `key_0` to `key_3`. */
  static async open(settings: Partial<DataSourceSettings> = {}): Promise<Shelter> {
    const postgres = await startMigratedPostgres((options) => Database.open(options));
    const database = await Database.open({ url: postgres.url, ...settings });
    const admin = new Client(postgres.url);
    await admin.connect();
    await admin.query(
      `insert into api_keys (id, name, plan, scopes, created_at)
       select 'key_' || n, 'test', 'free', '{orders:write}', now() from generate_series(0, 3) n`,
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
    await this.admin.query(
      'truncate orders, pets, outbox, events, inventory, idempotent_requests restart identity',
    );
    await this.admin.query('update event_head set position = 0, first = 0');
  }

  /** Another view of the same orders, for another limit of a key. */
  under(maxOpenPerKey = 100): OrdersService {
    const policy = new OrderPolicy(HOURS, maxOpenPerKey);
    const { orderStore, unitOfWork, idempotency, links, database } = this;
    return new OrdersService(orderStore, unitOfWork, idempotency, policy, links, database);
  }

  pet(status: PetStatus = 'available'): Promise<Pet> {
    const [name, categoryId] = [PetName.parse('Rex'), CategoryId.parse('7')];
    if (name === undefined || categoryId === undefined) throw new Error('The pet is not one of the domain.');
    return this.petStore.create({ name, categoryId, status });
  }

  patch({ id }: Pet, patch: PetPatch): Promise<Pet> {
    return this.pets.update(id, patch, PRECONDITION);
  }

  rename(pet: Pet): Promise<Pet> {
    return this.patch(pet, { name: `${pet.name}.` as PetName });
  }

  remove({ id }: Pet): Promise<void> {
    return this.pets.delete(id, PRECONDITION);
  }

  async place(
    petId: PetId,
    caller = 'key_0',
    orders = this.orders,
    token?: string,
  ): Promise<{ readonly id: OrderId }> {
    const key = token === undefined ? undefined : { caller, token, operation: 'placeOrder' };
    const { json } = await orders.place(caller, { petId }, key);
    return { id: String((JSON.parse(json) as { id: number }).id) as OrderId };
  }

  act(
    id: OrderId,
    action: OrderAction,
    visibility: OrderVisibility = 'all',
    reason?: string,
  ): Promise<Order> {
    return this.orders.act({
      id,
      action,
      visibility,
      reason: reason === undefined ? undefined : FreeText.parse(reason),
    });
  }

  /** An order of a new pet, after these actions. */
  async orderAfter(...actions: readonly OrderAction[]): Promise<{ readonly id: OrderId; readonly pet: Pet }> {
    const pet = await this.pet();
    const { id } = await this.place(pet.id);
    for (const action of actions) await this.act(id, action);
    return { id, pet };
  }

  async statusOf({ id }: Pet): Promise<string | undefined> {
    return this.one('select status from pets where id = $1', id);
  }

  async orderStatus(id: OrderId): Promise<string | undefined> {
    return this.one('select status from orders where id = $1', id);
  }

  /** How many deadlocks PostgreSQL has found since the database was made. */
  async deadlocks(): Promise<string | undefined> {
    return this.one('select deadlocks from pg_stat_database where datname = current_database()');
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
    return rows.map(({ json }) => JSON.parse(json) as AnyEvent);
  }

  private async one(query: string, ...values: readonly string[]): Promise<string | undefined> {
    const { rows } = await this.admin.query<string[]>({ text: query, values: [...values], rowMode: 'array' });
    return rows[0]?.[0];
  }
}

/** The code or name of the error that `work` rejects with, or `ok`. */
export function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => (error as { readonly code?: string }).code ?? String(error),
  );
}

/** How often each outcome occurs. */
export function tally(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
