/** What the words of files mean, in small letters; `undefined` is a word for "unknown". */
export type Words<Value> = Readonly<Record<string, Value | undefined>>;

const UNKNOWN = { u: undefined, unknown: undefined };
const YES = ['1', 'y', 'yes', 't', 'true'];
const NO = ['0', 'n', 'no', 'f', 'false'];

const all = <Value>(words: readonly string[], value: Value): Words<Value> =>
  Object.fromEntries(words.map((word) => [word, value]));

export const FLAG: Words<boolean> = { ...UNKNOWN, ...all(YES, true), ...all(NO, false) };
/** Where a column says what is wrong: Petfinder's `NoDogs`. */
export const INVERTED: Words<boolean> = { ...UNKNOWN, ...all(YES, false), ...all(NO, true) };

export const SEX: Words<string> = { ...UNKNOWN, m: 'male', male: 'male', f: 'female', female: 'female' };

export const SIZE: Words<string> = {
  ...UNKNOWN,
  ...all(['s', 'small'], 'small'),
  ...all(['m', 'medium'], 'medium'),
  ...all(['l', 'large'], 'large'),
  ...all(['xl', 'x-large', 'xlarge', 'extra large', 'extra-large', 'very large'], 'xlarge'),
};

const itself = (words: readonly string[]): Words<string> =>
  Object.fromEntries(words.map((word) => [word, word]));

export const AGE: Words<string> = { ...UNKNOWN, ...itself(['baby', 'young', 'adult', 'senior']) };
export const COAT: Words<string> = {
  ...UNKNOWN,
  ...itself(['hairless', 'short', 'medium', 'long', 'wire', 'curly']),
};

/** `young` as portals write it: `Young`. */
export function capital(word: string | undefined): string | undefined {
  return word === undefined ? undefined : word.slice(0, 1).toUpperCase() + word.slice(1);
}

const AMOUNT = /^(?<whole>\d+)(?:\.(?<part>\d+))?$/;

/**
 * A decimal number with so many digits behind its point, rounded half up.
 *
 * @returns `undefined` for 0, which portals show as a fee, and for what is no number
 */
export function rounded(amount: string | undefined, decimals: number): string | undefined {
  const { whole, part = '' } = AMOUNT.exec(amount ?? '')?.groups ?? {};
  if (whole === undefined) return undefined;
  const digits = part.padEnd(decimals + 1, '0');
  const up = Number(digits[decimals]) >= 5 ? 1n : 0n;
  const units = BigInt(whole + digits.slice(0, decimals)) + up;
  if (units === 0n) return undefined;
  const text = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
