import { OPEN_STATUSES, Order, type OrderId, type UnsavedOrder } from '@petstore/order-domain';
import type { Pet, PetState } from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { LOCK_KEY } from '../api-keys/lock-key.js';
import { PET_COLUMNS } from '../pets/pet.schema.js';
import { arraysOf, names, parameters, selected, updateAll, valuesOf, withoutNulls } from '../sql/columns.js';
import { toPet } from '../pets/pet.repository.js';
import { COUNT_OPEN } from './order.queries.js';
import { ORDER_COLUMNS, UNSAVED_ORDER_COLUMNS } from './order.columns.js';

/** The time of the database, in the precision of the API. Behind locks: `now()` is when the transaction began. */
const NOW = `date_trunc('milliseconds', clock_timestamp()) as now`;
const COUNT = `select ${NOW}, (${COUNT_OPEN}) as "openOrders"`;
const LOCK = `select ${NOW}, ${selected(ORDER_COLUMNS)} from orders where id = any ($1::bigint[]) for update`;
/**
 * Locked animals are skipped until the next run: waiting would stall the others and could deadlock. The limit counts those
 * that are locked here. `now()`, as an index condition must be stable.
 */
const LOCK_PETS_OF_DUE = `
  select due.order_id as "orderId", ${selected(PET_COLUMNS)}
  from pets join (select id as order_id, pet_id, expires_at from orders where expires_at <= now()) due on due.pet_id = pets.id
  order by due.expires_at limit $1 for update of pets skip locked`;
const INSERT = `
  insert into orders (${names(UNSAVED_ORDER_COLUMNS)}) values (${parameters(UNSAVED_ORDER_COLUMNS)}) returning id`;
const UPDATE = updateAll('orders', ORDER_COLUMNS);

/**
 * Orders within a transaction. Whatever changes an order locks its animal first, which never changes; placing one locks the
 * key behind the animal.
 */
export class OrderRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Until the end of this transaction no other one of the key counts its open orders behind this lock. */
  async lockKey(keyId: string): Promise<void> {
    await this.manager.query(LOCK_KEY, [keyId]);
  }

  /**
   * How many open orders a key has, and the time of the database.
   *
   * @param max counting ends there
   */
  async countOpen(keyId: string, max: number): Promise<{ readonly openOrders: number; readonly now: Date }> {
    const [row] = await this.manager.query<[{ openOrders: number; now: Date }]>(COUNT, [
      keyId,
      OPEN_STATUSES,
      max,
    ]);
    return row;
  }

  /** The order, and the time of the database. Its animal is locked before. Orders are never removed. */
  async lock(id: OrderId): Promise<LockedOrder> {
    const [locked] = await this.lockAll([id]);
    if (locked === undefined) throw new Error(`The order ${id} is gone.`);
    return locked;
  }

  /** Locks several orders, in no particular order. */
  async lockAll(ids: readonly OrderId[]): Promise<readonly LockedOrder[]> {
    return (await this.manager.query<OrderRow[]>(LOCK, [ids])).map(toLockedOrder);
  }

  /**
   * Locks the animals of overdue orders, the longest overdue first, except those that another transaction has locked. The
   * orders may have changed meanwhile: their state is known once they are locked.
   */
  async lockPetsOfDue(limit: number): Promise<readonly { readonly orderId: OrderId; readonly pet: Pet }[]> {
    const rows = await this.manager.query<(PetState & { orderId: OrderId })[]>(LOCK_PETS_OF_DUE, [limit]);
    return rows.map(({ orderId, ...pet }) => ({ orderId, pet: toPet(pet) }));
  }

  async insert(order: UnsavedOrder): Promise<Order> {
    const [row] = await this.manager.query<[{ id: OrderId }]>(INSERT, valuesOf(UNSAVED_ORDER_COLUMNS, order));
    return new Order({ ...order, id: row.id });
  }

  update(order: Order): Promise<void> {
    return this.updateAll([order]);
  }

  async updateAll(orders: readonly Order[]): Promise<void> {
    await this.manager.query(UPDATE, arraysOf(ORDER_COLUMNS, orders));
  }
}

export interface LockedOrder {
  readonly order: Order;
  /** The time of the database behind the lock of the animal. */
  readonly now: Date;
}

/** The columns of an order, and the time of the database. */
type OrderRow = ConstructorParameters<typeof Order>[0] & { readonly now: Date };

function toLockedOrder({ now, ...columns }: OrderRow): LockedOrder {
  return { order: new Order(withoutNulls(columns)), now };
}
