import { PET_READS } from './pet-statements.js';
import { PET_WRITES } from './pet-write-statements.js';
import { PetRow } from './pet.row.js';

/** What animals bring to the database. */
export const PET_RESOURCE = {
  rows: [PetRow],
  reads: PET_READS,
  writes: PET_WRITES,
};
