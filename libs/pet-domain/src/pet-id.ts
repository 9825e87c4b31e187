import { isPositiveInt64 } from './int64.js';

declare const brand: unique symbol;

/** Identifier of an animal: the decimal digits of an int64 from 1 to 2^63 - 1 (specification, section 2). */
export type PetId = string & { readonly [brand]: 'PetId' };

export const PetId = {
  /** The id that `text` spells, or `undefined`: no animal can have another one. */
  parse(text: string): PetId | undefined {
    return isPositiveInt64(text) ? (text as PetId) : undefined;
  },
} as const;
