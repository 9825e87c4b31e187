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
  /** The member that is wrong; `undefined` when it is the record. */
  readonly field?: keyof NewPet;
  /** What is expected of the member: "must be ..."; else a sentence. */
  readonly reason: string;
}

/** What was read of a record. */
export type RecordContent =
  /** Its members as the body of a creation has them: numbers are `JsonNumber`s. */
  | { readonly members: Readonly<Partial<Record<keyof NewPet, unknown>>> }
  /** It could not be read. */
  | { readonly flaw: Flaw };

/** One record of a file, and the line on which it begins. */
export type StockRecord = RecordContent & { readonly line: number };

/** What each member of an animal must be, in the order of its JSON; others are ignored, as in a body. */
const EXPECTATIONS: Readonly<Record<keyof NewPet, string>> = {
  name: PetName.EXPECTED,
  categoryId: CategoryId.EXPECTED,
  status: PetStatus.EXPECTED,
};

export const MEMBERS = Object.keys(EXPECTATIONS) as (keyof NewPet)[];

/** Members without a default. */
export const REQUIRED = ['name', 'categoryId'] as const;

/** What the rules of `POST /v1/pets` (docs/contract.md, "Animals") say of a record. */
export type JudgedRecord = { readonly pet: NewPet } | { readonly flaws: readonly Flaw[] };

/** The animal of a record, or all that is wrong with it. */
export function judgeRecord(record: StockRecord): JudgedRecord {
  if ('flaw' in record) return { flaws: [record.flaw] };
  const { name, categoryId, status = PetStatus.DEFAULT } = record.members;
  const pet = {
    name: typeof name === 'string' ? PetName.parse(name) : undefined,
    categoryId: categoryId instanceof JsonNumber ? CategoryId.parse(categoryId.toDigits() ?? '') : undefined,
    status: typeof status === 'string' ? PetStatus.parse(status) : undefined,
  };
  const flaws = MEMBERS.filter((field) => pet[field] === undefined).map((field) => {
    const json = record.members[field];
    return {
      field,
      reason: `must be ${EXPECTATIONS[field]}${found(json)}${isRounded(field, json) ? ROUNDED : ''}`,
    };
  });
  return flaws.length > 0 ? { flaws } : { pet: pet as NewPet };
}

/** A number with an exponent, as spreadsheets write it in any language. */
const EXPONENT = /^[+-]?\d+(?:[.,]\d*)?[eE][+-]?\d+$/;
const ROUNDED = '. A spreadsheet writes a long number so, and has rounded it: export the column as text';

function isRounded(field: keyof NewPet, value: unknown): boolean {
  return field === 'categoryId' && typeof value === 'string' && EXPONENT.test(value);
}

/** Characters of a wrong value that are shown. */
const SHOWN = 40;

function found(json: unknown): string {
  if (json === undefined) return '; it is missing';
  if (json instanceof JsonNumber) return `; it is ${shortened(json.source)}`;
  if (typeof json === 'string') return `; it is ${VisibleText.escapeJson(JSON.stringify(shortened(json)))}`;
  return json === null || typeof json === 'boolean' ? `; it is ${json}` : '';
}

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}
