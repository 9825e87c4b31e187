import { PetProfile, type StringEnum } from '@petstore/pet-domain';

/** What the words of files mean, in small letters; `undefined` is a word for "unknown". */
export type Words<Value> = ReadonlyMap<string, Value | undefined>;

/** Of several tables one; of two meanings of a word the last counts. */
export const joined = <Value>(...tables: readonly Words<Value>[]): Words<Value> =>
  new Map(tables.flatMap((words) => [...words]));

/** `wordsOf({ male: 'm, male' })` knows two words for male. */
export function wordsOf(values: Readonly<Record<string, string>>): Words<string> {
  return new Map(
    Object.entries(values).flatMap(([value, words]) => words.split(/,\s+/).map((word) => [word, value])),
  );
}

const UNKNOWN: Words<never> = new Map([
  ['u', undefined],
  ['unknown', undefined],
]);

const YES = ['1', 'y', 'yes', 't', 'true'];
const NO = ['0', 'n', 'no', 'f', 'false'];
const flags = (yes: boolean): Words<boolean> =>
  joined<boolean>(UNKNOWN, new Map([...YES, ...NO].map((word) => [word, YES.includes(word) === yes])));

export const FLAG = flags(true);
/** Where a column says what is wrong: Petfinder's `NoDogs`. */
export const INVERTED = flags(false);

export const SEX = joined<string>(UNKNOWN, wordsOf({ male: 'm, male', female: 'f, female' }));

export const SIZE = joined<string>(
  UNKNOWN,
  wordsOf({
    small: 's, small',
    medium: 'm, medium',
    large: 'l, large',
    xlarge: 'xl, x-large, xlarge, extra large, extra-large, very large',
  }),
);

/** Words that stand for themselves. */
const same = ({ ALL }: StringEnum<string>): Words<string> =>
  joined<string>(UNKNOWN, new Map(ALL.map((word) => [word, word])));

export const AGE = same(PetProfile.FIELDS.ageGroup);

export const COAT = same(PetProfile.FIELDS.coat);

/** `young` as portals write it: `Young`. */
export function capital(word: string | undefined): string | undefined {
  return word === undefined ? undefined : word.slice(0, 1).toUpperCase() + word.slice(1);
}

/**
 * A decimal number with so many digits behind its point, rounded half up.
 *
 * @returns `undefined` for 0, which portals show as a fee, and for what is no number
 */
export function rounded(amount: string | undefined, decimals: number): string | undefined {
  if (amount === undefined || !/^\d+(?:\.\d+)?$/.test(amount)) return undefined;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false };
  // A text is rounded as the decimal number that it is.
  const text = new Intl.NumberFormat('en', digits).format(amount as `${number}`);
  return /[1-9]/.test(text) ? text : undefined;
}
