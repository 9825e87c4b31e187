import type { components, operations } from './contract.generated.js';
import { toInt64 } from './int64.js';
import { searchOf } from './search.js';

type Schemas = components['schemas'];

/** An application for one animal, which it reserves at once. Times are RFC 3339 texts in UTC. */
export type Order = Readonly<Schemas['Order']>;

export type OrderStatus = Schemas['OrderStatus'];

/** An order to be placed. */
export type NewOrder = Readonly<Omit<Schemas['NewOrder'], 'petId'>> & {
  /** A number is taken too, if it is exact. */
  readonly petId: bigint | number;
};

type ListQuery = NonNullable<operations['listOrders']['parameters']['query']>;

/** Parameters of a list. */
export type ListOrders = {
  readonly [Name in Exclude<keyof ListQuery, 'petId'>]?: ListQuery[Name] | undefined;
} & {
  /** A number is taken too, if it is exact. */
  readonly petId?: bigint | number | undefined;
};

/** One page of a list, newest first. */
export interface OrderPage {
  readonly orders: readonly Order[];
  /** Give it to the next call as `cursor`, with the same `status` and `petId`; `undefined` on the last page. */
  readonly next: string | undefined;
}

/**
 * A list's query as the service reads it.
 *
 * @throws RangeError for a `petId` that is a number and not exact
 */
export function listOrdersSearch({ petId, ...others }: ListOrders): string {
  return searchOf({ ...others, petId: petId === undefined ? undefined : toInt64('petId', petId) });
}
