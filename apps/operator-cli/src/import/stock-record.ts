import { VisibleText } from '@petstore/api-key';
import { JsonNumber } from '@petstore/http-server/json';
import { CategoryId, type NewPet, PetName, PetStatus } from '@petstore/pet-domain';
import { CommandError, EXIT } from '../errors.js';

/** Longest record, in bytes: that of a body of the API (docs/contract.md, "Bodies"). */
export const LONGEST_RECORD = 16 * 1024;

/** The file cannot be imported at all: it is not there, is no file, or has another form. */
export class StockFileError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.usage);
  }
}

/** Why a record is no animal. */
export interface Flaw {
  /** The column or the path of the member that is wrong; `undefined` when it is the record. */
  readonly field?: string;
  /** What is expected of the member: "must be ..."; else a sentence. */
  readonly reason: string;
}

/** What was read of a record. */
export type RecordContent =
  /** Its members as the body of a creation has them: numbers are `JsonNumber`s. A table has a profile in its cells. */
  | {
      readonly members: Readonly<Partial<Record<keyof NewPet | 'profile', unknown>>>;
      /** By the names of their columns. */
      readonly profileCells?: ReadonlyMap<string, string>;
    }
  /** It could not be read. */
  | { readonly flaw: Flaw };

/** One record of a file, and the line on which it begins. */
export type StockRecord = RecordContent & { readonly line: number };

/** What each member of an animal must be, in the order of its JSON; others are ignored, as in a body. */
export const EXPECTATIONS: Readonly<Record<keyof NewPet, string>> = {
  name: PetName.EXPECTED,
  categoryId: CategoryId.EXPECTED,
  status: PetStatus.EXPECTED,
};

/** Of an animal; its profile is a member of a JSON object and columns of a table. */
export const MEMBERS = Object.keys(EXPECTATIONS) as (keyof NewPet)[];

/** Members without a default. */
export const REQUIRED = ['name', 'categoryId'] as const;

/** Characters of a wrong value that are shown. */
const SHOWN = 40;

/** What was found instead, as the end of a reason. */
export function found(json: unknown): string {
  if (json === undefined) return '; it is missing';
  if (json instanceof JsonNumber) return `; it is ${shortened(json.source)}`;
  if (typeof json === 'string') return `; it is ${VisibleText.escapeJson(JSON.stringify(shortened(json)))}`;
  return json === null || typeof json === 'boolean' ? `; it is ${json}` : '';
}

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}
