import { type OrderPageRequest, type OrderReach } from '@petstore/order-domain';
import { INT64_MAX } from '@petstore/pet-domain';
import type { Statement } from '../pipeline/statement.js';
import { ORDER_JSON } from './order-json.js';

/** Which filters a list of orders has. */
interface Filter {
  readonly key: boolean;
  readonly status: boolean;
  readonly pet: boolean;
}

const ALL: readonly Filter[] = [true, false].flatMap((key) =>
  [true, false].flatMap((status) => [true, false].map((pet) => ({ key, status, pet }))),
);

/**
 * A page is read backwards from one place in one index, which is said as a range over the whole index: with an equality
 * the planner may walk the primary key and throw away the orders of others. Orders of one animal are few, and the other
 * filters look at them one by one.
 *
 * $1 limit, $2 id before which it begins, then key id, status and animal, those that there are.
 */
function pageStatement({ key, status, pet }: Filter): Statement {
  const columns = indexColumns({ key, status, pet });
  const used = [...(key ? ['key_id'] : []), ...(status ? ['status'] : []), ...(pet ? ['pet_id'] : [])];
  const values = Object.fromEntries(used.map((column, at) => [column, `$${at + 3}`]));
  const valueOf = (column: string): string =>
    `${values[column] ?? ''}${column === 'pet_id' ? '::bigint' : ''}`;
  const order = [...columns, 'id'].map((column) => `${column} desc`).join(', ');
  const before = `(${[...columns, 'id'].join(', ')}) < (${[...columns.map(valueOf), '$2::bigint'].join(', ')})`;
  const last =
    columns.length === 0 ? [] : [`(${columns.join(', ')}) >= (${columns.map(valueOf).join(', ')})`];
  const rest = used
    .filter((column) => !columns.includes(column))
    .map((column) => `${column} = ${valueOf(column)}`);
  return {
    name: `orders_page${key ? '_key' : ''}${status ? '_status' : ''}${pet ? '_pet' : ''}`,
    text: `select id, ${ORDER_JSON} from orders
      where ${[before, ...last, ...rest].join(' and ')}
      order by ${order} limit $1`,
  };
}

/** Columns of the index that a list is read from, before `id`. */
function indexColumns({ key, status, pet }: Filter): readonly string[] {
  if (pet) return ['pet_id'];
  if (key) return status ? ['key_id', 'status'] : ['key_id'];
  return status ? ['status'] : [];
}

const nameOf = ({ key, status, pet }: Filter): string => `${key} ${status} ${pet}`;
const PAGES = new Map(ALL.map((filter) => [nameOf(filter), pageStatement(filter)]));

const FIND: Statement = { name: 'orders_find', text: `select id, ${ORDER_JSON} from orders where id = $1` };
const FIND_OF_KEY: Statement = {
  name: 'orders_find_of_key',
  text: `select id, ${ORDER_JSON} from orders where id = $1 and key_id = $2`,
};

/** The status of an animal that is ordered. */
export const PET_STATUS: Statement = {
  name: 'orders_pet_status',
  text: 'select status from pets where id = $1',
};

export const ORDER_READS: readonly Statement[] = [...PAGES.values(), FIND, FIND_OF_KEY, PET_STATUS];

/** Before the newest one. */
const END = INT64_MAX;

/** The statement and values that read at most `count` orders. */
export function pageQuery(
  { reach, status, petId, before }: Omit<OrderPageRequest, 'limit'>,
  count: number,
): readonly [Statement, readonly string[]] {
  const filter = { key: reach !== 'all', status: status !== undefined, pet: petId !== undefined };
  const statement = PAGES.get(nameOf(filter));
  if (statement === undefined) throw new Error('There is no statement for this list of orders.');
  const values = [reach === 'all' ? undefined : reach.keyId, status, petId];
  return [statement, [String(count), before ?? END, ...values.filter((value) => value !== undefined)]];
}

/** The statement and values that read one order. */
export function findQuery(id: string, reach: OrderReach): readonly [Statement, readonly string[]] {
  return reach === 'all' ? [FIND, [id]] : [FIND_OF_KEY, [id, reach.keyId]];
}
