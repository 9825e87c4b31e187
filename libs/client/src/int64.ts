/** @throws RangeError for a number that is not whole or not exact */
export function toInt64(name: string, value: bigint | number): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`${name} must be a bigint, or a whole number that is exact: not ${value}.`);
  }
  return BigInt(value);
}
