import { crc32 } from 'node:zlib';
import { CategoryId, PetId, type PetListPosition, PetStatus } from '@petstore/pet-domain';

/*
 * A cursor on the wire is `<check><status><id>`, in a list of one category `<check><status><id>-<category>`, opaque to
 * clients: the status is one letter, the numbers are base 36, and the check makes a cursor that was cut, mistyped or
 * stitched together recognisable. It is no secret: whoever forges one reaches only a position that the list would show
 * anyway.
 */
const LETTERS: ReadonlyMap<PetStatus | undefined, string> = new Map([
  [undefined, 'z'],
  ...PetStatus.ALL.map((status) => [status, status.charAt(0)] as const),
]);
const STATUSES = new Map([...LETTERS].map(([status, letter]) => [letter, status]));

const FORM = /^[0-9a-z]{7}[a-z][1-9a-z][0-9a-z]{0,12}(-[1-9a-z][0-9a-z]{0,12})?$/;
/** Digits of the check. */
const CHECK_LENGTH = 7;
/** Stands before the category. */
const SEPARATOR = '-';

/** @param category part of the cursor, which those of releases up to 1.0 do not have */
function isIntact(text: string, category: string | undefined): boolean {
  const check = Number.parseInt(text.slice(0, CHECK_LENGTH), 36);
  if (check === crc32(text.slice(CHECK_LENGTH))) return true;
  return category === undefined && check === fnv1a(text, CHECK_LENGTH);
}

/** FNV-1a over the characters from `start` on, 32 bits: the check of cursors given out by releases up to 1.0. */
function fnv1a(text: string, start: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Most digits, decimal and base 36, of numbers that a double holds exactly. BigInt takes ten times as long. */
const EXACT_DECIMAL = 15;
const EXACT_BASE36 = 10;

function toBase36(decimal: string): string {
  return decimal.length <= EXACT_DECIMAL ? Number(decimal).toString(36) : BigInt(decimal).toString(36);
}

function fromBase36(digits: string): string {
  if (digits.length <= EXACT_BASE36) return String(Number.parseInt(digits, 36));
  let value = 0n;
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value.toString();
}

/** The text form of a {@link PetListPosition}. */
export const PetCursor = {
  /** Longest cursor that a client must be able to carry, in characters; none is as long today. */
  MAX_LENGTH: 64,
  /** The cursor as clients carry it: letters, digits and a hyphen only, so that a URL holds it as it is. */
  encode({ status, categoryId, before }: PetListPosition): string {
    const category = categoryId === undefined ? '' : SEPARATOR + toBase36(categoryId);
    const payload = `${LETTERS.get(status) ?? ''}${toBase36(before)}${category}`;
    return crc32(payload).toString(36).padStart(CHECK_LENGTH, '0') + payload;
  },
  /** The position that `text` stands for, or `undefined` when `encode` never made such a text. */
  decode(text: string): PetListPosition | undefined {
    if (!FORM.test(text)) return undefined;
    const [list = '', category] = text.split(SEPARATOR);
    if (!isIntact(text, category)) return undefined;
    const letter = list.charAt(CHECK_LENGTH);
    const before = PetId.parse(fromBase36(list.slice(CHECK_LENGTH + 1)));
    if (!STATUSES.has(letter) || before === undefined) return undefined;
    const status = STATUSES.get(letter);
    if (category === undefined) return { status, before };
    const categoryId = CategoryId.parse(fromBase36(category));
    return categoryId && { status, categoryId, before };
  },
} as const;
