import type { components, operations } from './contract.generated.js';
import { toInt64 } from './int64.js';
import { searchOf } from './search.js';

type Schemas = components['schemas'];

/** An animal. Its ids are `bigint`: they are int64, and a number is exact only up to 2^53. */
export type Pet = Readonly<Schemas['Pet']>;

export type PetStatus = Schemas['PetStatus'];

/** An animal to be added. */
export type NewPet = Readonly<Omit<Schemas['NewPet'], 'categoryId' | 'status'>> & {
  /** A number is taken too, if it is exact. */
  readonly categoryId: bigint | number;
  /** The service makes it `available` unless said. */
  readonly status?: PetStatus;
};

/** What is to change of an animal; the rest stays as it is. */
export type PetPatch = {
  readonly [Name in keyof NewPet]?: NewPet[Name] | undefined;
};

/** How many animals there are of each status. */
export type Inventory = Readonly<Schemas['Inventory']>;

/** Parameters of a list. */
export type ListPets = {
  readonly [Name in Exclude<keyof ListQuery, 'categoryId' | 'ids'>]?: ListQuery[Name] | undefined;
} & {
  /** A number is taken too, if it is exact. */
  readonly categoryId?: bigint | number | undefined;
  /** At most 100 different ones; without `limit` and `cursor`, because all of them are in one page. */
  readonly ids?: readonly (bigint | number)[] | undefined;
};

type ListQuery = NonNullable<operations['listPets']['parameters']['query']>;

/**
 * A list's query as the service reads it.
 *
 * @throws RangeError for an id or a `categoryId` that is a number and not exact
 */
export function listSearch({ categoryId, ids, ...others }: ListPets): string {
  return searchOf({
    ...others,
    categoryId: categoryId === undefined ? undefined : toInt64('categoryId', categoryId),
    ids: ids?.map((id) => toInt64('ids', id)).join(','),
  });
}

/** One page of a list. */
export interface PetPage {
  readonly pets: readonly Pet[];
  /** Give it to the next call, with the same `status` and `categoryId`; `undefined` on the last page. */
  readonly next: string | undefined;
}

/** Most ids of one request. */
const MOST_IDS = 100;

/**
 * Different ids in lists that a request can have, newest first.
 *
 * @throws RangeError for a number that is not exact
 */
export function idLists(ids: Iterable<bigint | number>): bigint[][] {
  const different = new Set([...ids].map((id) => toInt64('ids', id)));
  const newestFirst = [...different].sort((a, b) => (a > b ? -1 : 1));
  const lists: bigint[][] = [];
  for (let at = 0; at < newestFirst.length; at += MOST_IDS) {
    lists.push(newestFirst.slice(at, at + MOST_IDS));
  }
  return lists;
}
