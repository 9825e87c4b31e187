import { JsonNumber } from '@petstore/http-server/json';
import {
  CategoryId,
  type Day,
  FreeText,
  HttpsUrl,
  InvalidProfileError,
  type NewPet,
  PetName,
  PetProfile,
  PetStatus,
} from '@petstore/pet-domain';
import { type AnimalRecord, found as foundText, petstoreColumn } from '@petstore/portal-formats';

/** Why a record is no animal, or what else is to be said of it. */
export interface Flaw {
  /** The column or the path of the member that is wrong; `undefined` when it is the record. */
  readonly field?: string | undefined;
  /** What is expected of the member: "must be ..."; else a sentence. */
  readonly reason: string;
}

/** Members as the body of a creation has them: numbers are `JsonNumber`s. */
type Members = Readonly<Partial<Record<keyof NewPet | 'profile', unknown>>>;

/** One record of a file, as it was read. */
export interface StockRecord {
  /** On which it begins. */
  readonly line: number;
  readonly reference?: string | undefined;
  /** Not for adoption (any more). */
  readonly isGone?: boolean;
  /** `undefined` when it could not be read. */
  readonly members?: Members;
  /** What its reader has found. */
  readonly flaws: readonly Flaw[];
  /** Whether a new animal has the category of its species, and none of its own. */
  readonly isOfSpecies: boolean;
  /** How the file calls a member of the profile. */
  readonly fieldOf: (path: string) => string;
  readonly photosLeftOut: number;
}

/** What is kept of a record: members that are absent stay as they are. */
export interface JudgedRecord {
  readonly line: number;
  readonly reference?: string | undefined;
  readonly name?: PetName | undefined;
  readonly categoryId?: CategoryId | undefined;
  readonly status?: PetStatus | undefined;
  readonly isOfSpecies: boolean;
  /** Of the profile. */
  readonly profile: Readonly<Record<string, unknown>>;
  /** What a new animal needs and the record lacks. */
  readonly lacks: readonly Flaw[];
}

/** What each member of an animal must be, in the order of its JSON; others are ignored, as in a body. */
const EXPECTATIONS: Readonly<Record<keyof NewPet, string>> = {
  name: PetName.EXPECTED,
  categoryId: CategoryId.EXPECTED,
  status: PetStatus.EXPECTED,
};
export const MEMBERS = Object.keys(EXPECTATIONS) as (keyof NewPet)[];

/** A number as JSON writes it (RFC 8259, section 6), but without an exponent: a spreadsheet writes one when it has rounded. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A row of a CSV file. @param keyColumn has the reference, in formats of portals */
export function ofAnimal(animal: AnimalRecord, format: string, keyColumn: string): StockRecord {
  const { line, reference, name, status, categoryId, profile, problems } = animal;
  // A word of this program's own, which files of the petstore format do not have.
  const isGone = format !== 'csv' && status === 'gone';
  const number =
    categoryId !== undefined && JSON_NUMBER.test(categoryId) ? new JsonNumber(categoryId) : categoryId;
  const kept =
    format === 'csv'
      ? profile.photos
      : profile.photos?.filter(({ url }) => HttpsUrl.parse(url) !== undefined);
  const photos = format === 'csv' ? kept : kept?.slice(0, PetProfile.MAX_PHOTOS);
  return {
    ...{ line, reference, isGone, isOfSpecies: format !== 'csv' },
    members: {
      ...{ name, categoryId: number, status: isGone ? undefined : status },
      profile: { ...profile, photos: photos?.length === 0 ? undefined : photos },
    },
    // Of a portal's animal that is gone nothing but its reference counts.
    flaws: isGone ? [] : problems.map(({ column: field, reason }) => ({ field, reason })),
    fieldOf: format === 'csv' ? petstoreColumn : (path) => (path === 'reference' ? keyColumn : path),
    photosLeftOut: animal.photosLeftOut + (profile.photos?.length ?? 0) - (photos?.length ?? 0),
  };
}

/**
 * What the rules of `POST /v1/pets` (docs/contract.md, "Animals") say of a record, or all that is wrong with it.
 *
 * @param isNew whether it can only be a new animal, so that what it lacks is wrong
 */
export function judgeRecord(
  record: StockRecord,
  latestBirth: Day,
  isNew: boolean,
): JudgedRecord | { readonly flaws: readonly Flaw[] } {
  const { line, reference, members, flaws, isOfSpecies } = record;
  if (members === undefined) return { flaws };
  const { name, categoryId, status } = members;
  const pet = {
    name: typeof name === 'string' ? PetName.parse(name) : undefined,
    categoryId: categoryId instanceof JsonNumber ? CategoryId.parse(categoryId.toDigits() ?? '') : undefined,
    status: typeof status === 'string' ? PetStatus.parse(status) : undefined,
  };
  const wrong = MEMBERS.filter((field) => pet[field] === undefined).map((field) => ({
    field,
    isMissing: members[field] === undefined,
    isNeeded: field === 'name' || (field === 'categoryId' && !isOfSpecies),
    reason: `must be ${EXPECTATIONS[field]}${found(members[field])}${hintOf(field, members[field])}`,
  }));
  const all = [
    ...wrong
      .filter(({ isMissing, isNeeded }) => !isMissing || (isNew && isNeeded))
      .map(({ field, reason }) => ({ field, reason })),
    ...flaws,
    ...profileFlaws(record, latestBirth),
  ];
  if (reference !== undefined && FreeText.parse(reference) === undefined)
    all.push({ field: 'reference', reason: `must be ${FreeText.EXPECTED}` });
  if (all.length > 0) return { flaws: all };
  const lacks = wrong.filter(({ isMissing, isNeeded }) => isMissing && isNeeded);
  return {
    ...{ line, reference, ...pet, isOfSpecies, lacks: lacks.map(({ field, reason }) => ({ field, reason })) },
    profile: (members.profile ?? {}) as Readonly<Record<string, unknown>>,
  };
}

function profileFlaws({ members = {}, flaws, fieldOf }: StockRecord, latestBirth: Day): readonly Flaw[] {
  const { profile = {} } = members;
  if (
    typeof profile !== 'object' ||
    profile === null ||
    Array.isArray(profile) ||
    profile instanceof JsonNumber
  )
    return [{ field: 'profile', reason: `must be an object${found(profile)}` }];
  const known = new Set(flaws.map(({ field }) => field));
  return PetProfile.flawsOf(profile as Readonly<Record<string, unknown>>, latestBirth)
    .map(({ path, problem }) => ({
      field: fieldOf(path),
      reason: `${problem}${found(valueAt(profile, path))}`,
    }))
    .filter(({ field }) => !known.has(field));
}

/** The profile that these members are; what is wrong with all of them together. */
export function profileOf(
  members: Readonly<Record<string, unknown>>,
  latestBirth: Day,
): PetProfile | { readonly flaws: readonly Flaw[] } {
  try {
    return PetProfile.of(members, latestBirth);
  } catch (error) {
    if (!(error instanceof InvalidProfileError)) throw error;
    return { flaws: [{ field: error.path, reason: error.problem }] };
  }
}

/** A number with an exponent, as spreadsheets write it in any language. */
const EXPONENT = /^[+-]?\d+(?:[.,]\d*)?[eE][+-]?\d+$/;

function hintOf(field: string, json: unknown): string {
  return field === 'categoryId' && typeof json === 'string' && EXPONENT.test(json)
    ? '. A spreadsheet writes a long number so, and has rounded it: export the column as text'
    : '';
}

/** What was found instead, as the end of a reason; nothing of an object or a list. */
function found(json: unknown): string {
  if (json === undefined) return '; it is missing';
  if (json instanceof JsonNumber) return `; it is ${json.source.slice(0, 40)}`;
  if (typeof json === 'string') return foundText(json);
  return json === null || typeof json === 'boolean' ? `; it is ${json}` : '';
}

/** The member at a path such as `photos[1].url`. */
function valueAt(profile: object, path: string): unknown {
  let value: unknown = profile;
  for (const name of path.split(/[.[\]]+/).filter((part) => part !== ''))
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
  return value ?? {};
}
