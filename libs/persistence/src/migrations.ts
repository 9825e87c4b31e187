import { CreatePets1795132800000 } from './migrations/1795132800000-create-pets.js';
import { CreateApiKeys1795136400000 } from './migrations/1795136400000-create-api-keys.js';
import { CreateAddRequests1795140000000 } from './migrations/1795140000000-create-add-requests.js';
import { IndexKeyUsageByDay1795143600000 } from './migrations/1795143600000-index-key-usage-by-day.js';
import { CreateIdempotentRequests1795150800000 } from './migrations/1795150800000-create-idempotent-requests.js';
import { NoteWhoWroteKeyHashes1795147200000 } from './migrations/1795147200000-note-who-wrote-key-hashes.js';

/**
 * Every change of the schema, oldest first. A change that has been released is never edited or removed;
 * whatever is wrong with it is put right by the next one.
 */
export const MIGRATIONS = [
  CreatePets1795132800000,
  CreateApiKeys1795136400000,
  CreateAddRequests1795140000000,
  IndexKeyUsageByDay1795143600000,
  NoteWhoWroteKeyHashes1795147200000,
  CreateIdempotentRequests1795150800000,
] as const;
