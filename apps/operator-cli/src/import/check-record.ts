import { JsonNumber } from '@petstore/http-server/json';
import {
  CategoryId,
  FreeText,
  type Members,
  PetName,
  PetProfile,
  PetStatus,
  type Value,
} from '@petstore/pet-domain';
import { type AnimalRecord, found as foundText } from '@petstore/portal-formats';

/** What a record of a file is checked with. */
export interface RecordForm {
  /** Whether it is of a portal or a program: not of the service itself. */
  readonly isForeign: boolean;
  /** How the file calls a member of an animal, of which the path is given: `name`, `profile.goodWith.dogs`. */
  readonly fieldOf: (path: string) => string;
}

/** Why a record is no animal, or what else is to be said of it. */
export interface Problem {
  readonly line?: number;
  readonly reference?: string | undefined;
  /** The column or the path of the member that is wrong; `undefined` when it is the record. */
  readonly field?: string | undefined;
  /** What is expected of the member: "must be ..."; else a sentence. */
  readonly reason: string;
}

/** A record as a file has it, or what is wrong with one that cannot be read. NDJSON may have anything in its members. */
export interface FileRecord
  extends
    Omit<AnimalRecord, 'name' | 'categoryId' | 'status' | 'profile'>,
    Partial<Record<'name' | 'categoryId' | 'status' | 'profile', unknown>> {}

/** A record by the rules of `POST /v1/pets` (docs/contract.md, "Animals"). What is not allowed is absent, and a problem. */
export interface CheckedRecord extends Pick<FileRecord, 'line' | 'photosLeftOut' | 'shortened'> {
  /** As in a record of a file. */
  readonly hasNumber: boolean | undefined;
  /** Its place in the file, from 1 on. */
  readonly at: number;
  /** In NFC. */
  readonly reference: FreeText | undefined;
  readonly name: PetName | undefined;
  readonly categoryId: CategoryId | undefined;
  readonly status: PetStatus | undefined;
  /** What the record has of a profile, and its members. */
  readonly profile: PetProfile;
  readonly members: Members;
  /** Not for adoption (any more): a word of the formats' own, which files of the petstore format do not have. */
  readonly isGone: boolean;
  readonly problems: readonly Problem[];
  /** What only a new animal needs, and the record lacks. */
  readonly lacking: readonly Problem[];
}

/**
 * @param at place in the file, from 1 on
 */
export function checkRecord(file: RecordForm, record: FileRecord, at: number): CheckedRecord {
  const { line, hasNumber, photosLeftOut, shortened, profile = {}, isUnread = false } = record;
  const isGone = file.isForeign && record.status === 'gone';
  const problems: Problem[] = [];
  const isRefused = (field: string): boolean => problems.some((problem) => problem.field === field);
  const refuse = (field: string, reason: string, sent: unknown): void => {
    if (!isRefused(field)) problems.push({ field, reason: `${reason}${found(sent)}` });
  };
  const check = <T>(member: string, sent: unknown, value: Value<T>): T | undefined => {
    if (sent === undefined) return undefined;
    const parsed = value.parseJson(sent);
    if (parsed === undefined) refuse(file.fieldOf(member), `must be ${value.description}`, sent);
    return parsed;
  };
  const values = {
    name: check('name', record.name, PetName),
    categoryId: check('categoryId', record.categoryId, CategoryId),
    status: isGone ? undefined : check('status', record.status, PetStatus),
  };
  for (const { column: field, reason } of record.problems) problems.push({ field, reason });
  // One that is typed here and there is not to be two: é may be one code point or two.
  const reference = check('reference', record.reference?.normalize(), FreeText);
  const described = PetProfile.parseJson(
    profile,
    (path, problem) => {
      refuse(path === 'profile' ? path : file.fieldOf(path), problem, valueAt({ profile }, path));
    },
    'profile',
  );
  const lacking = NEEDED.flatMap(([member, { description }]) => {
    const field = file.fieldOf(member);
    const isSaid = record[member] !== undefined || isUnread || isRefused(field);
    if (isSaid || (member === 'categoryId' && file.isForeign)) return [];
    return { field, reason: `must be ${description}; it is missing` };
  });
  const valid = described ?? PetProfile.EMPTY;
  return {
    ...{ at, line, hasNumber, photosLeftOut, shortened, reference, isGone, problems, lacking },
    ...values,
    profile: valid,
    members: JSON.parse(valid) as Members,
  };
}

/** What a new animal needs; the category of one from elsewhere is that of its species. */
const NEEDED = [
  ['name', PetName],
  ['categoryId', CategoryId],
] as const;

/** What was found instead, as the end of a reason; nothing of an object or a list. */
function found(value: unknown): string {
  if (value === undefined) return '; it is missing';
  if (value instanceof JsonNumber) return `; it is ${value.source.slice(0, 40)}`;
  if (typeof value === 'string') return foundText(value);
  return value === null || typeof value === 'boolean' ? `; it is ${value}` : '';
}

/** The member at a path such as `photos[1].url`. */
function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split(/[.[\]]+/).filter((part) => part !== ''))
    value = (value as Members | undefined)?.[name];
  return value ?? {};
}
