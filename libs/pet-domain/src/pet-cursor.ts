import { PetId } from './pet-id.js';
import { PetStatus } from './pet-status.js';

/** A position in a list, bound to the filter of that list. */
export interface PetCursor {
  /** The filter of the list the position is in; `undefined` for all animals. */
  readonly status: PetStatus | undefined;
  /** Id of the last animal already seen. */
  readonly before: PetId;
}

/**
 * A cursor on the wire is `<check><filter><id>`, opaque to clients: the filter is one letter, the id
 * base 36, and the check makes a cursor that was cut, mistyped or stitched together recognisable.
 * It is no secret: whoever forges one reaches only a position that the list would show anyway.
 */
const FILTERS: ReadonlyMap<PetStatus | undefined, string> = new Map([
  [undefined, 'z'],
  ...PetStatus.ALL.map((status) => [status, status.charAt(0)] as const),
]);
const STATUSES = new Map([...FILTERS].map(([status, letter]) => [letter, status]));

const FORM = /^([0-9a-z]{7})([a-z])([0-9a-z]{1,13})$/;

/** FNV-1a over the characters, 32 bits, seven base-36 digits. */
function check(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
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

export const PetCursor = {
  /** The cursor as clients carry it: letters and digits only, so that a URL holds it as it is. */
  encode({ status, before }: PetCursor): string {
    const payload = `${FILTERS.get(status) ?? ''}${toBase36(before)}`;
    return check(payload) + payload;
  },
  /** The position that `text` stands for, or `undefined` when `encode` never made such a text. */
  decode(text: string): PetCursor | undefined {
    const [, sum, letter = '', digits = ''] = FORM.exec(text) ?? [];
    if (!STATUSES.has(letter) || sum !== check(letter + digits)) return undefined;
    const before = PetId.parse(fromBase36(digits));
    if (before === undefined || digits.startsWith('0')) return undefined;
    return { status: STATUSES.get(letter), before };
  },
} as const;
