import { PetImportRow } from './pet-import.row.js';

/** What imports of animals bring to the database. */
export const PET_IMPORT_RESOURCE = { rows: [PetImportRow] };
