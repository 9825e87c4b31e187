import { VisibleText } from '@petstore/api-key';
import { JsonNumber } from '@petstore/http-server/json';
import type { DescribedPet } from '@petstore/persistence';
import {
  CategoryId,
  type Day,
  InvalidProfileError,
  type NewPet,
  PetName,
  PetProfile,
  PetStatus,
} from '@petstore/pet-domain';

/** Longest record, in bytes: that of a body of the API (docs/contract.md, "Bodies"). */
export const LONGEST_RECORD = 16 * 1024;

/** Why a record is no animal. */
export interface Flaw {
  /** The column or the path of the member that is wrong; `undefined` when it is the record. */
  readonly field?: string;
  /** What is expected of the member: "must be ..."; else a sentence. */
  readonly reason: string;
}

/** Members as the body of a creation has them: numbers are `JsonNumber`s. */
type Members = Readonly<Partial<Record<keyof NewPet | 'profile', unknown>>>;

/** One record of a file. */
export interface StockRecord {
  /** On which it begins. */
  readonly line: number;
  /** `undefined` when it could not be read. */
  readonly members?: Members;
  /** What its reader has found: of the record, or of the cells that its profile is made of. */
  readonly flaws: readonly Flaw[];
}

/** What each member of an animal must be, in the order of its JSON; others are ignored, as in a body. */
const EXPECTATIONS: Readonly<Record<keyof NewPet, string>> = {
  name: PetName.EXPECTED,
  categoryId: CategoryId.EXPECTED,
  status: PetStatus.EXPECTED,
};

/** Of an animal; its profile is a member of a JSON object and columns of a table. */
export const MEMBERS = Object.keys(EXPECTATIONS) as (keyof NewPet)[];

/** Members without a default. */
export const REQUIRED = ['name', 'categoryId'] as const;

/** What the rules of `POST /v1/pets` (docs/contract.md, "Animals") say of a record. */
type JudgedRecord = DescribedPet | { readonly flaws: readonly Flaw[] };

/** The animal of a record with its profile, or all that is wrong with it. */
export function judgeRecord({ members, flaws }: StockRecord, latestBirth: Day): JudgedRecord {
  if (members === undefined) return { flaws };
  const { name, categoryId, status = PetStatus.DEFAULT } = members;
  const pet = {
    name: typeof name === 'string' ? PetName.parse(name) : undefined,
    categoryId: categoryId instanceof JsonNumber ? CategoryId.parse(categoryId.toDigits() ?? '') : undefined,
    status: typeof status === 'string' ? PetStatus.parse(status) : undefined,
  };
  const petFlaws = MEMBERS.filter((field) => pet[field] === undefined).map((field) => {
    const json = members[field];
    const hint = field === 'categoryId' && typeof json === 'string' && EXPONENT.test(json) ? ROUNDED : '';
    return { field, reason: `must be ${EXPECTATIONS[field]}${found(json)}${hint}` };
  });
  const profile = flaws.length === 0 ? judgeProfile(members.profile, latestBirth) : { flaws };
  const all = [...petFlaws, ...profile.flaws];
  return all.length > 0 ? { flaws: all } : { pet: pet as NewPet, profile: profile.profile };
}

interface JudgedProfile {
  readonly profile?: PetProfile;
  readonly flaws: readonly Flaw[];
}

function judgeProfile(sent: unknown, latestBirth: Day): JudgedProfile {
  if (sent === undefined) return { flaws: [] };
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent) || sent instanceof JsonNumber)
    return { flaws: [{ field: 'profile', reason: `must be an object${found(sent)}` }] };
  const members = sent as Readonly<Record<string, unknown>>;
  const flaws = PetProfile.flawsOf(members, latestBirth);
  if (flaws.length > 0)
    return { flaws: flaws.map(({ path, problem }) => ({ field: `profile.${path}`, reason: problem })) };
  try {
    return { profile: PetProfile.of(members, latestBirth), flaws: [] };
  } catch (error) {
    if (!(error instanceof InvalidProfileError)) throw error;
    return { flaws: [{ field: error.path, reason: error.problem }] };
  }
}

/** A number with an exponent, as spreadsheets write it in any language. */
const EXPONENT = /^[+-]?\d+(?:[.,]\d*)?[eE][+-]?\d+$/;
const ROUNDED = '. A spreadsheet writes a long number so, and has rounded it: export the column as text';

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
