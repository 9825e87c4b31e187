import { JsonNumber } from '@petstore/http-server/json';
import {
  CategoryId,
  type Day,
  FreeText,
  InvalidProfileError,
  PetName,
  PetProfile,
  PetStatus,
  type Value,
} from '@petstore/pet-domain';
import { found as foundText } from '@petstore/portal-formats';
import type { AnimalsFile, FileRecord } from './animals-file.js';

/** Why a record is no animal, or what else is to be said of it. */
export interface Problem {
  readonly line?: number;
  readonly reference?: string | undefined;
  /** The column or the path of the member that is wrong; `undefined` when it is the record. */
  readonly field?: string | undefined;
  /** What is expected of the member: "must be ..."; else a sentence. */
  readonly reason: string;
}

export type Members = Readonly<Record<string, unknown>>;

/** A record whose members are allowed: those that are absent stay as they are. */
export interface ValidRecord {
  readonly line: number;
  readonly reference?: string | undefined;
  /** As in a record of a file. */
  readonly hasNumber?: boolean | undefined;
  readonly name?: PetName | undefined;
  readonly categoryId?: CategoryId | undefined;
  readonly status?: PetStatus | undefined;
  /** Members of the profile that the record has. */
  readonly profile: PetProfile;
}

/** Not for adoption (any more): a word of the formats' own, which files of the petstore format do not have. */
export const isGone = (file: AnimalsFile, { status }: FileRecord): boolean =>
  file.isForeign && status === 'gone';

/**
 * What the rules of `POST /v1/pets` (docs/contract.md, "Animals") say of a record, or all that is wrong with it.
 *
 * @param isNew whether the animal is a new one, which lacks what the record does not say
 */
export function validateRecord(
  file: AnimalsFile,
  record: FileRecord,
  latestBirth: Day,
  isNew: boolean,
): ValidRecord | readonly Problem[] {
  const { line, reference, hasNumber, name, categoryId, problems: read } = record;
  const status = isGone(file, record) ? undefined : record.status;
  const problems: Problem[] = [];
  if (!record.isUnread) {
    const check = (field: string, sent: unknown, value: Value<unknown>, isNeeded: boolean): void => {
      if (value.parseJson(sent) === undefined && (sent !== undefined || (isNew && isNeeded)))
        problems.push({
          field: file.fieldOf(field),
          reason: `must be ${value.description}${found(sent)}${hintOf(field, sent)}`,
        });
    };
    check('name', name, PetName, true);
    check('categoryId', categoryId, CategoryId, !file.isForeign);
    check('status', status, PetStatus, false);
  }
  for (const { column: field, reason } of read) problems.push({ field, reason });
  if (reference !== undefined && FreeText.parse(reference) === undefined)
    problems.push({
      field: file.fieldOf('reference'),
      reason: `must be ${FreeText.description}${found(reference)}`,
    });
  const members = record.profile ?? {};
  if (!isObject(members))
    return [...problems, { field: 'profile', reason: `must be an object${found(members)}` }];
  const profile = profileOf(members, latestBirth);
  if (typeof profile !== 'string') {
    const shown = new Set(problems.map(({ field }) => field));
    const further = profile.map(({ path, problem }) => ({
      field: path === 'profile' ? path : file.fieldOf(`profile.${path}`),
      reason: `${problem}${found(valueAt(members, path))}`,
    }));
    return [...problems, ...further.filter(({ field }) => !shown.has(field))];
  }
  if (problems.length > 0) return problems;
  return {
    ...{ line, reference, hasNumber },
    name: PetName.parseJson(name),
    categoryId: CategoryId.parseJson(categoryId),
    status: PetStatus.parseJson(status),
    profile,
  };
}

/** The profile that these members are, or everything that is wrong with it. */
export function profileOf(members: Members, latestBirth: Day): PetProfile | readonly InvalidProfileError[] {
  try {
    return PetProfile.of(members, latestBirth);
  } catch (error) {
    if (!(error instanceof InvalidProfileError)) throw error;
    const all = PetProfile.problemsOf(members, latestBirth);
    return all.length === 0 ? [error] : all;
  }
}

function isObject(value: unknown): value is Members {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

/** A number with an exponent, as spreadsheets write it in any language. */
const EXPONENT = /^[+-]?\d+(?:[.,]\d*)?[eE][+-]?\d+$/;

function hintOf(field: string, value: unknown): string {
  return field === 'categoryId' && typeof value === 'string' && EXPONENT.test(value)
    ? '. A spreadsheet writes a long number so, and has rounded it: export the column as text'
    : '';
}

/** What was found instead, as the end of a reason; nothing of an object or a list. */
function found(value: unknown): string {
  if (value === undefined) return '; it is missing';
  if (value instanceof JsonNumber) return `; it is ${value.source.slice(0, 40)}`;
  if (typeof value === 'string') return foundText(value);
  return value === null || typeof value === 'boolean' ? `; it is ${value}` : '';
}

/** The member at a path such as `photos[1].url`. */
function valueAt(profile: Members, path: string): unknown {
  let value: unknown = profile;
  for (const name of path.split(/[.[\]]+/).filter((part) => part !== ''))
    value = (value as Members | undefined)?.[name];
  return value ?? {};
}
