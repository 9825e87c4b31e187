import { NEW_PET_FIELDS, Pet, PET_FIELDS } from '@petstore/pet-domain';
import { EntitySchema } from 'typeorm';
import { columnsOf } from '../sql/columns.js';
import { jsonOf } from '../sql/json.js';

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
/** Of a new pet; the id is the database's to give. */
export const NEW_PET_COLUMNS = columnsOf(PetSchema, NEW_PET_FIELDS);
/** SQL of a pet as JSON. */
export const PET_JSON = jsonOf(PET_COLUMNS);
