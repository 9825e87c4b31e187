import type { Fee, Profile } from './animal.js';
import { ageGroupOf, type AgeBands, daysBetween } from './days.js';
import type { WriteOptions } from './format.js';
import { rounded } from './words.js';

/** What portals are known to take of a breed, in characters: names of animals may have as many. */
const LONGEST_BREED = 50;

/** Names of breeds or colors as the portal has them. */
export function namesOf(ours: readonly string[] = [], { names }: WriteOptions): readonly string[] {
  return ours.map((name) => names?.get(name.trim().toLowerCase()) ?? name);
}

/** The age group that is known, or that of the day of birth. */
export function ageOf(
  { ageGroup, bornOn }: Profile,
  bands: AgeBands,
  { today }: WriteOptions,
): string | undefined {
  return ageGroup ?? (bornOn === undefined ? undefined : ageGroupOf(daysBetween(bornOn, today), bands));
}

/** A word for true, one for false, and a blank for what is not known. */
export function flagOf(flag: boolean | undefined, yes: string, no: string): string {
  return flag === undefined ? '' : flag ? yes : no;
}

/** Why a portal would leave an animal out: what it needs and is not there. */
export function lacking(needed: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = Object.entries(needed).filter(([, value]) => value === undefined);
  return names.length === 0 ? undefined : names.map(([name]) => `it has no ${name}`).join(', ');
}

/** Breeds are written as they are, however long: a part of one would be another breed. */
export function breedNotes(breeds: readonly string[]): readonly string[] {
  return breeds.some((breed) => breed.length > LONGEST_BREED)
    ? [`a breed has more than ${LONGEST_BREED} characters, and is written whole`]
    : [];
}

interface WrittenFee {
  readonly amount: string | undefined;
  readonly notes: readonly string[];
}

/** A fee with so many digits behind the point; blank in a currency that is not the portal's. */
export function feeOf(
  fee: Fee | undefined,
  decimals: number,
  { currency = 'USD' }: WriteOptions,
): WrittenFee {
  const isOther = fee?.currency !== undefined && fee.currency !== currency;
  return {
    amount: isOther ? undefined : rounded(fee?.amount, decimals),
    notes: isOther
      ? [`the adoption fee in ${fee.currency ?? ''} is blank: the portal counts in ${currency}`]
      : [],
  };
}
