import { OPEN_STATUSES, ORDER_TRANSITIONS, type OrderTransition } from '@petstore/order-domain';
import { wordsOf } from '../columns/columns-of.js';
import { type EventSource, writeEvents } from '../event/outbox.js';
import type { Statement } from '../pipeline/statement.js';
import { ORDER_EVENT_DATA, ORDER_JSON, petStatusEventData } from './order-json.js';

const OPEN = wordsOf(OPEN_STATUSES);

/** Whether the key $2 may place another order than its $3 open ones: counting ends there. */
const ROOM_LEFT = `select count(*) < $3::bigint from (
  select from orders where key_id = $2 and status in (${OPEN}) limit $3::bigint) open`;

/** One after the other those who place orders with one key, so that their number is right: $1 key id. */
export const TAKE_TURN: Statement = {
  name: 'orders_take_turn',
  text: `select pg_advisory_xact_lock(hashtextextended('orders of ' || $1, 0))`,
};

/**
 * Behind the turn, so that it sees what was placed before: whether the key may place another order, the status of the
 * animal, and the order if it was placed.
 *
 * The animal is reserved by the one statement that finds it available. Others wait for that and find it pending.
 *
 * $1 animal, $2 key id, $3 most open orders of a key, $4 hours until it expires, $5 reference or nothing.
 * What is not there is an empty text.
 */
export const PLACE: Statement = {
  name: 'orders_place',
  text: `
    with room (is_left) as materialized (${ROOM_LEFT}), held as (
      update pets set status = 'pending'
      where id = $1 and status = 'available' and (select is_left from room) returning id, name, category_id, status
    ), placed as (
      insert into orders (pet_id, key_id, status, reference, expires_at)
      select id, $2, 'placed', nullif($5, ''), now() + $4::float8 * interval '1 hour' from held returning *
    ), written as (
      ${writeEvents(
        {
          type: 'order.placed',
          resource: 'order',
          audience: 'key_id',
          data: ORDER_EVENT_DATA,
          source: 'placed',
        },
        { type: 'pet.updated', resource: 'pet', data: petStatusEventData(`'available'`), source: 'held' },
      )}
    )
    select (select is_left from room), coalesce((select status from pets where id = $1), ''),
      coalesce((select id::text from placed), ''), coalesce((select ${ORDER_JSON} from placed), '')`,
};

/** The order $1, if it is of key $2 or there is no $2: what is out of reach is not locked. */
const WITHIN_REACH = 'id = $1 and ($2::text is null or key_id = $2)';
/** First the animal, then the order: the order of all locks. The animal of an order never changes. */
export const LOCK_PET_OF_ORDER: Statement = {
  name: 'orders_lock_pet',
  text: `select from pets where id = (select pet_id from orders where ${WITHIN_REACH}) for update`,
};
export const LOCK: Statement = {
  name: 'orders_lock',
  text: `select pet_id, key_id, status, coalesce(expires_at <= clock_timestamp(), false), ${ORDER_JSON}
    from orders where ${WITHIN_REACH} for update`,
};

/** What the state of an order becomes by a transition: $1 id, $2 reason or NULL, $3 hours until it expires or NULL. */
function changeStatement({ action, from, to, pet }: OrderTransition): Statement {
  const order: EventSource = {
    type: `order.${to}`,
    resource: 'order',
    audience: 'key_id',
    data: ORDER_EVENT_DATA,
    source: 'changed',
  };
  const changed = `
    changed as (
      update orders set status = '${to}', reason = coalesce($2, reason), updated_at = now(),
        expires_at = now() + $3::float8 * interval '1 hour'
      where id = $1 returning *
    )`;
  if (pet === undefined) {
    return {
      name: `orders_${action}_${from ?? 'new'}`,
      text: `with ${changed}, written as (${writeEvents(order)}) select ${ORDER_JSON} from changed`,
    };
  }
  const released: EventSource = {
    type: 'pet.updated',
    resource: 'pet',
    data: petStatusEventData(`'${pet.from}'`),
    source: 'moved',
  };
  return {
    name: `orders_${action}_${from ?? 'new'}`,
    text: `
      with ${changed}, moved as (
        update pets set status = '${pet.to}'
        where id = (select pet_id from changed) and status = '${pet.from}' returning id, name, category_id, status
      ), written as (${writeEvents(order, released)})
      select ${ORDER_JSON} from changed`,
  };
}

const CHANGES = new Map(
  ORDER_TRANSITIONS.filter(({ from }) => from !== undefined).map((transition) => [
    transition,
    changeStatement(transition),
  ]),
);

/** The statement that carries out a line of the table of orders. */
export function statementOf(transition: OrderTransition): Statement {
  const statement = CHANGES.get(transition);
  if (statement === undefined) throw new Error(`No statement carries out ${transition.action}.`);
  return statement;
}

/**
 * The animals of at most $1 orders whose time is up, locked. Those that others hold come next time and keep nobody
 * waiting, so that the order in which they are locked does not matter.
 *
 * `now()` and not the moment of the look: for a value that changes within a statement PostgreSQL would walk all orders
 * that are still to expire.
 */
export const LOCK_PETS_OF_DUE: Statement = {
  name: 'orders_lock_pets_of_due',
  text: `select pets.id from orders join pets on pets.id = orders.pet_id
    where orders.expires_at <= now() order by orders.expires_at limit $1::bigint
    for update of pets skip locked`,
};

/** Lets the orders of animals that are locked expire, if their time is still up. $1 ids of the animals. */
export const EXPIRE: Statement = {
  name: 'orders_expire',
  text: `
    with expired as (
      update orders set status = 'expired', updated_at = now(), expires_at = null
      where pet_id = any ($1::bigint[]) and expires_at <= now() and status in (${OPEN}) returning *
    ), released as (
      update pets set status = 'available'
      where id in (select pet_id from expired) and status = 'pending' returning id, name, category_id, status
    ), written as (
      ${writeEvents(
        {
          type: 'order.expired',
          resource: 'order',
          audience: 'key_id',
          data: ORDER_EVENT_DATA,
          source: 'expired',
        },
        { type: 'pet.updated', resource: 'pet', data: petStatusEventData(`'pending'`), source: 'released' },
      )}
    )
    select count(*) from expired`,
};
