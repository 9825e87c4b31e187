import type { ValueTransformer } from 'typeorm';

/*
 * How TypeORM reads and writes what the domain and the tables keep in different forms. A bigint has none: it stays the
 * text of its digits.
 */

/** NULL in the table, `undefined` in the domain. */
export const OPTIONAL: ValueTransformer = {
  to: (value: unknown) => value ?? null,
  from: (value: unknown) => value ?? undefined,
};

/** A bigint that counts, and stays below 2^53. */
export const COUNT: ValueTransformer = { to: (value: unknown) => value, from: Number };
