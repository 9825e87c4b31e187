import { NEW_PET_FIELDS, PET_FIELDS } from '@petstore/pet-domain';
import { columnsOf } from '../columns/columns-of.js';
import { jsonLayoutOf } from '../columns/json-layout.js';
import { PetRow } from './pet.row.js';

/** The columns that every statement about animals reads, in the order of the fields of an animal. */
export const PET_COLUMNS = columnsOf(PetRow, PET_FIELDS);

/** The columns of a new animal; the others are the database's to fill. */
export const NEW_PET_COLUMNS = columnsOf(PetRow, NEW_PET_FIELDS);

/** How rows of {@link PET_COLUMNS} become JSON. */
export const PET_LAYOUT = jsonLayoutOf(PET_FIELDS, 96);
