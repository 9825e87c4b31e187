import { ApiError } from '@petstore/http-server';
import {
  Day,
  described,
  FLAT_FIELDS,
  flatPath,
  flatten,
  InvalidProfileError,
  PetProfile,
  unflatten,
  type Value,
} from '@petstore/pet-domain';
import { argument, type Argument } from './arguments.js';
import { type Members, toSnakeCase } from './results.js';

/** The members of a profile in results, flat, in the declared order. */
export const PROFILE_MEMBERS: Readonly<Record<string, Value<unknown>>> = Object.fromEntries(
  FLAT_FIELDS.map(({ name, value }) => [name, described(value, namedForTools(value))]),
);

/** The members of a profile as arguments. What is allowed is the domain's to say, by {@link profileOf}. */
export const PROFILE_ARGUMENTS: Readonly<Record<string, Argument<unknown, false>>> = Object.fromEntries(
  FLAT_FIELDS.map(({ name, value }) => [
    name,
    {
      ...argument(value, namedForTools(value)),
      description: 'left out rather than null',
      parseJson: (sent) => sent,
    },
  ]),
);

/** What a member means; it may name others. */
function namedForTools({ schema: { description = '' } }: Value<unknown>): string {
  return description.replace(/`(\w+)`/g, (_quoted, member: string) => toSnakeCase(member));
}

/** Those of some arguments that are members of a profile. */
export function profileArgumentsOf(given: Members): Members {
  return Object.fromEntries(FLAT_FIELDS.flatMap(({ name }) => (name in given ? [[name, given[name]]] : [])));
}

/**
 * An animal as tools give it: the profile is flat beside its own members.
 *
 * @param animal as the contract has it, with its profile among its members if it has one
 */
export function animalOf({ profile, ...animal }: Members): Members {
  const told: Record<string, unknown> = {};
  for (const name in animal) told[toSnakeCase(name)] = animal[name];
  flatten((profile ?? {}) as Members, (name, value) => {
    told[toSnakeCase(name)] = value;
  });
  return told;
}

/** The profile that these flat members are, checked. @throws ApiError `validation_failed` names the first that is wrong */
export function profileOf(flat: Members): PetProfile {
  try {
    return PetProfile.of(
      unflatten((name) => flat[name]),
      Day.of(new Date(), 1),
    );
  } catch (error) {
    if (!(error instanceof InvalidProfileError)) throw error;
    // No tool has an argument for the whole of it.
    const isWhole = error.path === 'profile';
    const path = isWhole ? 'description, photos and the rest' : toSnakeCase(flatPath(error.path));
    throw new ApiError('validation_failed', {
      message: `${path} ${error.problem.replaceAll('.url', '')}.`,
    });
  }
}
