import {
  described,
  type DomainEvent,
  eventOf,
  type Fields,
  FreeText,
  INSTANT,
  int64,
  type Int64Id,
  jsonTextOf,
  optional,
  PetId,
  type PetStatus,
  text,
} from '@petstore/pet-domain';
import { InvalidOrderTransitionError, OrderLimitReachedError, PetNotAvailableError } from './order.errors.js';
import type { OrderPolicy } from './order-policy.js';
import {
  type OrderAction,
  OrderStatus,
  type OrderTransition,
  PLACE,
  targetOf,
  transitionsFrom,
} from './order-transitions.js';

/** Id of an order. A later order has a greater one. */
export type OrderId = Int64Id<'OrderId'>;
export const OrderId = int64<OrderId>();

/** What a client asks for: one animal, reserved at once. */
export type NewOrder = Pick<OrderFields, 'petId' | 'reference'>;

/** An order that the store has not given an id yet. */
export type UnsavedOrder = Omit<OrderFields, 'id'>;

type OrderFields = Omit<Order, 'isOverdue' | 'perform'>;

/** What decides whether an order can be placed. */
export interface PlacementFacts {
  /** Status of the animal; `undefined` when there is none. */
  readonly petStatus: PetStatus | undefined;
  /** Orders of the key that are placed or approved; counting may end at {@link OrderPolicy.maxOpenPerKey}. */
  readonly openOrders: number;
}

/** An adoption order: one application for one animal. */
export class Order {
  /** A later order has a greater one. */
  readonly id!: OrderId;
  readonly petId!: PetId;
  status!: OrderStatus;
  /** The client's own text; never interpreted. */
  readonly reference?: FreeText | undefined;
  /** Why it was cancelled, declined or returned, for people. */
  reason?: FreeText | undefined;
  /** Id of the API key that placed it. */
  readonly placedBy!: string;
  readonly placedAt!: Date;
  /** When the status changed last. */
  updatedAt!: Date;
  /** Only while it is open, see {@link OPEN_STATUSES}. */
  expiresAt?: Date | undefined;

  constructor(fields: OrderFields) {
    Object.assign(this, fields);
  }

  /**
   * A new order.
   *
   * @param now of the store's clock, as everywhere in this class
   * @throws {OrderLimitReachedError}
   * @throws {PetNotAvailableError}
   */
  static place(
    wanted: NewOrder,
    placedBy: string,
    facts: PlacementFacts,
    now: Date,
    policy: OrderPolicy,
  ): UnsavedOrder {
    Order.requirePlaceable(facts, policy);
    const expiresAt = policy.expiry(PLACE.limit, now);
    return { ...wanted, status: PLACE.to, placedBy, placedAt: now, updatedAt: now, expiresAt };
  }

  /**
   * @throws {OrderLimitReachedError} whatever the status of the animal is
   * @throws {PetNotAvailableError}
   */
  static requirePlaceable({ petStatus, openOrders }: PlacementFacts, { maxOpenPerKey }: OrderPolicy): void {
    if (openOrders >= maxOpenPerKey) throw new OrderLimitReachedError(maxOpenPerKey);
    if (petStatus !== PLACE.pet?.from) throw new PetNotAvailableError(petStatus);
  }

  /** Whether its time is up: then it can only expire, even before the job has done so. */
  isOverdue(now: Date): boolean {
    return this.expiresAt !== undefined && this.expiresAt <= now;
  }

  /**
   * Performs an action by {@link ORDER_TRANSITIONS}.
   *
   * @returns what was done, which says what becomes of the animal; `undefined` when the action has brought the order to its
   * status before: to repeat it is no error and changes nothing
   * @throws {InvalidOrderTransitionError}
   */
  perform(
    action: OrderAction,
    now: Date,
    policy: OrderPolicy,
    reason?: FreeText,
  ): OrderTransition | undefined {
    if (this.status === targetOf(action)) return undefined;
    const isOverdue = this.isOverdue(now);
    const transition = transitionsFrom(this.status).find((one) => one.action === action);
    if (transition === undefined || (isOverdue && action !== 'expire'))
      throw new InvalidOrderTransitionError(this.status, isOverdue);
    this.status = transition.to;
    this.reason = reason ?? this.reason;
    this.updatedAt = now;
    this.expiresAt = policy.expiry(transition.limit, now);
    return transition;
  }
}

/** Who gives out keys says what their ids look like. */
const KEY_ID = text({ description: 'the id of an API key', parse: (sent) => sent, schema: {} });

/** The fields of an order without its id. */
export const UNSAVED_ORDER_FIELDS: Fields<UnsavedOrder> = {
  petId: described(PetId, 'Id of the animal.', 42),
  status: described(OrderStatus, 'State of the order.', 'placed'),
  reference: optional(
    described(
      FreeText,
      'A text of the client, such as the number of the application in its own system; never interpreted. Put no personal data here.',
      'site-4711',
    ),
  ),
  reason: optional(
    described(
      FreeText,
      'Why the order was cancelled, declined or returned, for people; absent if none was given.',
      'The family has moved away.',
    ),
  ),
  placedBy: described(KEY_ID, 'Id of the API key that placed the order.', 'key_Wz6Oq1rXc8TqLd0A'),
  placedAt: described(INSTANT, 'When it was placed, in UTC.'),
  updatedAt: described(INSTANT, 'When its state changed last, in UTC.'),
  expiresAt: optional(
    described(
      INSTANT,
      'When the reservation ends, in UTC; present while the order is `placed` or `approved`.',
      '2026-11-24T19:12:07.123Z',
    ),
  ),
};

/** All fields of an order, in the order of its JSON. */
export const ORDER_FIELDS: Fields<OrderFields> = {
  id: described(OrderId, 'Assigned by the service; a later order has a greater one.', 91),
  ...UNSAVED_ORDER_FIELDS,
};

/** An order as JSON text. */
export const orderJson: (order: Order) => string = jsonTextOf<OrderFields>(ORDER_FIELDS);

/** What can happen to an order, by the status that it has come to. */
const EVENT_TYPES = {
  placed: 'order.placed',
  approved: 'order.approved',
  delivered: 'order.delivered',
  returned: 'order.returned',
  cancelled: 'order.cancelled',
  declined: 'order.declined',
  expired: 'order.expired',
} as const satisfies Readonly<Record<OrderStatus, string>>;

export type OrderEventType = (typeof EVENT_TYPES)[OrderStatus];

/** All events of orders. */
export const ORDER_EVENTS = Object.fromEntries(
  Object.values(EVENT_TYPES).map((type) => [type, ['order'] as const]),
) as Readonly<Record<OrderEventType, readonly ['order']>>;

/** An event of an order. */
export interface OrderEvent extends DomainEvent<OrderEventType> {
  /** Id of the key that placed the order: the only one, beside those of shelter staff, that sees the event. */
  readonly audience: string;
  readonly happenedAt: Date;
}

/** The event of the change that has brought an order to its status. */
export function orderEvent(order: Order): OrderEvent {
  return {
    ...eventOf(EVENT_TYPES[order.status], { order: orderJson(order) }),
    audience: order.placedBy,
    happenedAt: order.updatedAt,
  };
}
