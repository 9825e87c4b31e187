import { randomInt } from 'node:crypto';

/** Environment variable that repeats a run: `HOSTILE_SEED=123 npm test`. */
const VARIABLE = 'HOSTILE_SEED';

/**
 * The seed of everything random in this run: a new number, unless the environment names one. It is printed, so that a run
 * that failed can be repeated.
 */
export function hostileSeed(): number {
  // A setting of the tests alone, which the service does not know.
  // oxlint-disable-next-line node/no-process-env
  const given = process.env[VARIABLE] ?? '';
  const seed = given === '' ? randomInt(2 ** 31) : Number(given);
  if (!Number.isInteger(seed)) throw new Error(`${VARIABLE} is "${given}"; allowed: a whole number.`);
  process.stdout.write(`${VARIABLE}=${seed}\n`);
  return seed;
}
