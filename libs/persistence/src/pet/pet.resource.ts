import { CreatePets1795132800000 } from '../migrations/1795132800000-create-pets.js';
import { IndexPetsByCategory1795165200000 } from '../migrations/1795165200000-index-pets-by-category.js';
import { PET_READS } from './pet-statements.js';
import { PET_WRITES } from './pet-write-statements.js';
import { PetRow } from './pet.row.js';

/** What animals bring to the database. */
export const PET_RESOURCE = {
  rows: [PetRow],
  migrations: [CreatePets1795132800000, IndexPetsByCategory1795165200000],
  reads: PET_READS,
  writes: PET_WRITES,
};
