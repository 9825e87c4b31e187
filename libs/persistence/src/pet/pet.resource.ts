import { CreatePets1795132800000 } from '../migrations/1795132800000-create-pets.js';
import { CreateAddRequests1795140000000 } from '../migrations/1795140000000-create-add-requests.js';
import { ADD_REQUEST_RETENTION } from './add-once.js';
import { AddRequestRow } from './add-request.row.js';
import { PET_READS, PET_WRITES } from './pet-statements.js';
import { PetRow } from './pet.row.js';

/** What animals bring to the database. */
export const PET_RESOURCE = {
  rows: [PetRow, AddRequestRow],
  migrations: [CreatePets1795132800000, CreateAddRequests1795140000000],
  reads: PET_READS,
  writes: PET_WRITES,
  retention: [ADD_REQUEST_RETENTION],
};
