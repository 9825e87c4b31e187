/** Members and parameters of the contract that are int64. */
export const INT64_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'categoryId',
  'petId',
  'eventId',
  'next',
  'available',
  'pending',
  'sold',
]);

/** @throws RangeError for a number that is not whole or not exact */
export function toInt64(name: string, value: bigint | number): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`${name} must be a bigint, or a whole number that is exact: not ${value}.`);
  }
  return BigInt(value);
}

/**
 * The members of a body or a query that have a value, int64 ones as `bigint`.
 *
 * @throws RangeError for one of these that is a number and not exact
 */
export function exactMembers(object: object): Record<string, unknown> {
  const given = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]: [string, unknown]) => [
      name,
      INT64_MEMBERS.has(name) ? toInt64(name, value as bigint | number) : value,
    ]),
  );
}

/**
 * A JSON string and, if it is a member name followed by a whole number, that number. One that does not end is taken as far
 * as it goes: to begin anew at each quotation mark in it would take quadratic time.
 */
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)(?:"(?:\s*:\s*(-?\d+)(?![\d.eE]))?)?/g;

/**
 * Reads a JSON text of the service; the int64 members become `bigint`, digit for digit. JSON.parse alone
 * would round them beyond 2^53, and neither Node 20 nor every browser shows it the source of a number.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parseJson(text: string): unknown {
  // The pattern matches whole strings: what looks like a member inside one is left alone.
  const quoted = text.replace(STRING, (whole: string, name: string, digits: string | undefined) =>
    digits !== undefined && INT64_MEMBERS.has(name) ? `${whole.slice(0, -digits.length)}"${digits}"` : whole,
  );
  return JSON.parse(quoted, (name, value: unknown) =>
    INT64_MEMBERS.has(name) && typeof value === 'string' ? BigInt(value) : value,
  );
}

/** Writes what JSON.stringify writes, and a `bigint` as a number of the same digits. */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  // As in arrays; members that are undefined are left out below.
  if (value === undefined) return 'null';
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value === 'object' && value !== null && !('toJSON' in value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
