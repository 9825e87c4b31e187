import { CreatePetImports1795197600000 } from '../migrations/1795197600000-create-pet-imports.js';
import { PetImportRow } from './pet-import.row.js';

/** What imports of animals bring to the database. */
export const PET_IMPORT_RESOURCE = { rows: [PetImportRow], migrations: [CreatePetImports1795197600000] };
