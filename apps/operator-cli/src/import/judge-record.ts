import { JsonNumber, JsonText } from '@petstore/http-server/json';
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
import { readProfileCells } from './profile-columns.js';
import { EXPECTATIONS, type Flaw, found, MEMBERS, type StockRecord } from './stock-record.js';

/** What the rules of `POST /v1/pets` (docs/contract.md, "Animals") say of a record. */
export type JudgedRecord = DescribedPet | { readonly flaws: readonly Flaw[] };

/** The animal of a record with its profile, or all that is wrong with it. */
export function judgeRecord(record: StockRecord, latestBirth: Day): JudgedRecord {
  if ('flaw' in record) return { flaws: [record.flaw] };
  const { name, categoryId, status = PetStatus.DEFAULT } = record.members;
  const pet = {
    name: typeof name === 'string' ? PetName.parse(name) : undefined,
    categoryId: categoryId instanceof JsonNumber ? CategoryId.parse(categoryId.toDigits() ?? '') : undefined,
    status: typeof status === 'string' ? PetStatus.parse(status) : undefined,
  };
  const petFlaws = MEMBERS.filter((field) => pet[field] === undefined).map((field) => {
    const json = record.members[field];
    return {
      field,
      reason: `must be ${EXPECTATIONS[field]}${found(json)}${isRounded(field, json) ? ROUNDED : ''}`,
    };
  });
  const { members, profileCells } = record;
  const cells = profileCells && readProfileCells(profileCells, latestBirth);
  const profile =
    cells === undefined || cells.flaws.length === 0
      ? profileOf(cells?.profile ?? members.profile, latestBirth)
      : { flaws: cells.flaws };
  const flaws = [...petFlaws, ...profile.flaws];
  return flaws.length > 0 ? { flaws } : { pet: pet as NewPet, profile: profile.profile };
}

interface JudgedProfile {
  readonly profile?: PetProfile;
  readonly flaws: readonly Flaw[];
}

/** @param sent the member `profile`: of JSON, or as the cells of a line make it */
function profileOf(sent: unknown, latestBirth: Day): JudgedProfile {
  if (sent === undefined) return { flaws: [] };
  const value: unknown = sent instanceof JsonText ? JSON.parse(sent.source) : sent;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber)
    return { flaws: [{ field: 'profile', reason: `must be an object${found(sent)}` }] };
  const members = value as Readonly<Record<string, unknown>>;
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

function isRounded(field: keyof NewPet, value: unknown): boolean {
  return field === 'categoryId' && typeof value === 'string' && EXPONENT.test(value);
}
