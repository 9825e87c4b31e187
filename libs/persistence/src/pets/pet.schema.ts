import { NEW_PET_FIELDS, Pet, PET_FIELDS } from '@petstore/pet-domain';
import { EntitySchema } from 'typeorm';
import { columnsOf } from '../sql/columns.js';
import { jsonObject, jsonOf } from '../sql/json.js';

/** The table `pets`. A bigint arrives as its decimal digits and stays so. */
export const PetSchema = new EntitySchema<Pet>({
  name: 'Pet',
  target: Pet,
  tableName: 'pets',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment' },
    name: { type: 'text' },
    categoryId: { name: 'category_id', type: 'bigint' },
    status: { type: 'text' },
  },
});

export const PET_COLUMNS = columnsOf(PetSchema, PET_FIELDS);
/** Of a new animal; the id is the database's to give. */
export const NEW_PET_COLUMNS = columnsOf(PetSchema, NEW_PET_FIELDS);
/** SQL of an animal as JSON. */
export const PET_JSON = jsonOf(PET_COLUMNS);
/** SQL of an animal as JSON with its profile, if it has one; goes with {@link PROFILE_OF_PET}. */
export const PET_WITH_PROFILE_JSON = jsonObject([
  ...PET_COLUMNS.map(({ name, ...field }) => ({ ...field, value: name })),
  { member: 'profile', kind: 'json', value: 'profile', isOptional: true },
]);
/**
 * Joins the profile of each animal that is read, by its primary key. The limit keeps it so: without one the planner may
 * read all profiles first.
 */
export const PROFILE_OF_PET =
  'left join lateral (select profile from pet_profiles where pet_id = pets.id limit 1) described on true';
