import { INCLUDED_FIELDS, NEW_PET_FIELDS, Pet, PET_FIELDS, type PetInclude } from '@petstore/pet-domain';
import { columnsOf, entityOf } from '../sql/columns.js';
import { jsonOf } from '../sql/json.js';

export const PET_COLUMNS = columnsOf(PET_FIELDS);
/** Of a new animal; the id is the database's to give. */
export const NEW_PET_COLUMNS = columnsOf(NEW_PET_FIELDS);
/** The table `pets`. */
export const PetSchema = entityOf(Pet, 'pets', PET_COLUMNS);
/** SQL of an animal as JSON. */
export const PET_JSON = jsonOf(PET_COLUMNS);

/** What is read of each animal in a list. */
export interface Shown {
  /** For the names of statements: different for each. */
  readonly name: string;
  /** SQL of it as JSON. */
  readonly json: string;
  /** SQL that joins what is not in `pets`. */
  readonly join: string;
}

/**
 * Joins the profile of each animal that is read, by its primary key. The limit keeps it so: without one the planner may
 * read all profiles first.
 */
export const PROFILE_OF_PET =
  'left join lateral (select profile from pet_profiles where pet_id = pets.id limit 1) described on true';

const INCLUDED = columnsOf(INCLUDED_FIELDS, { createdAt: 'pets.created_at' });

/** An animal in a list, with what is added to its members. */
export function shownWith(include: PetInclude = []): Shown {
  const included = INCLUDED.filter(({ member }) => (include as readonly string[]).includes(member));
  return {
    name: included.map(({ member }) => `_${member}`).join(''),
    json: jsonOf([...PET_COLUMNS, ...included]),
    join: include.includes('profile') ? PROFILE_OF_PET : '',
  };
}
