import type { OrderId, OrderPageRequest, OrderVisibility } from '@petstore/order-domain';
import { INT64_MAX } from '@petstore/pet-domain';
import type { Statement } from '../pipelined-pool/statement.js';
import { names } from '../sql/columns.js';
import { orderOf, rangeOf } from '../sql/page.js';
import { ORDER_COLUMNS } from './order.columns.js';

const ORDER = names(ORDER_COLUMNS);

/** A filter of a list, by its column. */
type FilterColumn = 'key_id' | 'status' | 'pet_id';

/**
 * The columns before the id in the index that a list is read from. Orders of one animal are few: the other filters look at
 * each of them.
 */
function indexColumns(filters: readonly FilterColumn[]): readonly FilterColumn[] {
  return filters.includes('pet_id') ? ['pet_id'] : filters;
}

/** Takes the limit, the id before which the page begins, and the value of each filter. */
function pageStatement(filters: readonly FilterColumn[]): Statement {
  const valueOf = (column: FilterColumn): string => `$${filters.indexOf(column) + 3}`;
  const columns = indexColumns(filters);
  const others = filters.filter((column) => !columns.includes(column));
  const conditions = [
    ...rangeOf(columns, columns.map(valueOf), '$2::bigint'),
    ...others.map((column) => `${column} = ${valueOf(column)}`),
  ];
  return {
    name: ['orders_page', ...filters].join('_'),
    text: `select ${ORDER} from orders where ${conditions.join(' and ')}
      order by ${orderOf(columns)} limit $1`,
  };
}

const PAGES = new Map<string, Statement>();

/** The statement and values that read at most `count` orders, newest first. */
export function orderPageQuery(
  { visibility, status, petId, before = INT64_MAX as OrderId }: Omit<OrderPageRequest, 'limit'>,
  count: number,
): [Statement, readonly unknown[]] {
  const wanted = { key_id: keyIdOf(visibility), status, pet_id: petId };
  const filters = (['key_id', 'status', 'pet_id'] as const).filter((column) => wanted[column] !== undefined);
  const statement = PAGES.get(filters.join()) ?? pageStatement(filters);
  PAGES.set(filters.join(), statement);
  return [statement, [count, before, ...filters.map((column) => wanted[column])]];
}

/** Takes the order, and the key that it must be of or NULL. */
export const FIND_ORDER: Statement = {
  name: 'orders_find',
  text: `select ${ORDER} from orders where id = $1 and ($2::text is null or key_id = $2)`,
};

/** The only key whose orders are visible; `undefined` for all. */
export function keyIdOf(visibility: OrderVisibility): string | undefined {
  return visibility === 'all' ? undefined : visibility.keyId;
}

/** The open orders of the key $1, whose statuses are $2. Counting ends at $3. */
export const COUNT_OPEN = `
  select count(*)::int from (
    select from orders where key_id = $1 and status = any ($2::text[]) limit $3) open_orders`;

/** Besides, in the same snapshot: the status of the animal $4, and whether a request of the key has the token $5. */
export const PREVIEW_PLACEMENT: Statement = {
  name: 'orders_preview_placement',
  text: `select (${COUNT_OPEN}), (select status from pets where id = $4),
    exists (select from idempotent_requests where caller = $1 and token = $5)`,
};
