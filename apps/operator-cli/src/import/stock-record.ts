import type { NewPet } from '@petstore/pet-domain';

/** Why a record is no animal. */
export interface Flaw {
  /** The member that is wrong; `undefined` when it is the record. */
  readonly field?: keyof NewPet;
  /** What is expected of the member: "must be ..."; else a sentence. */
  readonly reason: string;
}

/** One record of a file, and the line on which it begins. */
export type StockRecord =
  /** Its members as the body of a creation has them: numbers are `JsonNumber`s. */
  | { readonly line: number; readonly members: Readonly<Record<string, unknown>> }
  /** It could not be read. */
  | { readonly line: number; readonly flaw: Flaw };

/** Longest record, in bytes: that of a body of the API (docs/contract.md, "Bodies"). */
export const LONGEST_RECORD = 16 * 1024;
