import { NEW_PET_FIELDS, Pet, PET_FIELDS, type PetInclude } from '@petstore/pet-domain';
import { columnsOf, entityOf } from '../sql/columns.js';
import { type JsonMember, jsonOf, instant } from '../sql/json.js';

export const PET_COLUMNS = columnsOf(PET_FIELDS);
/** Of a new animal; the id is the database's to give. */
export const NEW_PET_COLUMNS = columnsOf(NEW_PET_FIELDS);
/** The table `pets`. */
export const PetSchema = entityOf(Pet, 'pets', PET_COLUMNS);
/** SQL of when an animal was added, as JSON has it. */
export const CREATED_AT = instant('created_at');
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

/** An animal in a list, with what is added to its members. */
export function shownWith(include: PetInclude = []): Shown {
  const [hasProfile, hasCreatedAt] = [include.includes('profile'), include.includes('createdAt')];
  const members: JsonMember[] = [];
  if (hasCreatedAt) members.push({ member: 'createdAt', kind: 'instant', value: 'pets.created_at' });
  if (hasProfile) members.push({ member: 'profile', kind: 'json', value: 'profile', isOptional: true });
  return {
    name: `${hasCreatedAt ? '_with_times' : ''}${hasProfile ? '_with_profiles' : ''}`,
    json: jsonOf(PET_COLUMNS, members),
    join: hasProfile ? PROFILE_OF_PET : '',
  };
}
