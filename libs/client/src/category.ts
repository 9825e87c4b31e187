import type { components, operations } from './contract.generated.js';

type Schemas = components['schemas'];

/** A name for a `categoryId` of animals. */
export type Category = Readonly<Schemas['Category']>;

/** What a category is to be called. */
export type NewCategory = Readonly<Schemas['NewCategory']>;

type ListQuery = NonNullable<operations['listCategories']['parameters']['query']>;

/** Parameters of a list. */
export type ListCategories = { readonly [Name in keyof ListQuery]?: ListQuery[Name] | undefined };

/** One page of a list, the greatest id first. */
export interface CategoryPage {
  readonly categories: readonly Category[];
  /** Give it to the next call as `cursor`; `undefined` on the last page. */
  readonly next: string | undefined;
}
