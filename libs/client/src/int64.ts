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
