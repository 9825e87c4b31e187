import { ApiError } from '@petstore/http-server';
import {
  FLAT_FIELDS,
  flatPath,
  flatten,
  type Members,
  optional,
  PetProfile,
  unflatten,
} from '@petstore/pet-domain';
import { parseExactly, toSnakeCase } from './results.js';

/** The members of a profile, flat, in the declared order: arguments, and members of results. */
export const PROFILE_MEMBERS = Object.fromEntries(
  FLAT_FIELDS.map(({ name, value }) => [name, optional(value)]),
);

/** Those of some arguments that have these names. */
export function picked(given: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}

/** Those that are members of a profile. */
export const profileArgumentsOf = (given: Members): Members => picked(given, Object.keys(PROFILE_MEMBERS));

/**
 * An animal as tools give it: the profile is flat beside its own members.
 *
 * @param animal as the contract has it, with its profile among its members if it has one
 */
export function animalOf({ profile, ...animal }: Members): Members {
  const told: Record<string, unknown> = {};
  const all = { ...animal, ...flatten((profile ?? {}) as Members) };
  for (const [name, value] of Object.entries(all)) told[toSnakeCase(name)] = value;
  return told;
}

/** The same of the JSON of one. */
export function animalIn(json: string): Members {
  return animalOf(parseExactly(json) as Members);
}

/** The profile that these flat members are together. @throws ApiError `validation_failed` names the first that is wrong */
export function profileOf(flat: Members): PetProfile {
  const refuse = (path: string, problem: string): never => {
    // No tool has an argument for the whole of it.
    const name = path === 'profile' ? 'description, photos and the rest' : toSnakeCase(flatPath(path));
    throw new ApiError('validation_failed', { message: `${name} ${problem.replaceAll('.url', '')}.` });
  };
  return PetProfile.of(unflatten(flat, refuse), refuse);
}
