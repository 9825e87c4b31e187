import { INT64_MAX, isPositiveInt64 } from './int64.js';

declare const brand: unique symbol;

/**
 * Identifier of the category that an animal belongs to: the decimal digits of an int64 from 1 to
 * 2^63 - 1 (specification, section 2). Whether there is such a category is not checked: an animal may come before its
 * category, and stay when it is deleted (docs/contract.md, "Categories").
 */
export type CategoryId = string & { readonly [brand]: 'CategoryId' };

export const CategoryId = {
  /** What is allowed, as a refusal says it: "categoryId must be ...". */
  EXPECTED: `a whole number from 1 to ${INT64_MAX}`,
  /** The id that `text` spells in plain decimal digits, or `undefined`. */
  parse(text: string): CategoryId | undefined {
    return isPositiveInt64(text) ? (text as CategoryId) : undefined;
  },
} as const;
