import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isUnambiguous, settings, url } from '../configuration/settings.js';

const WORKSPACE = fileURLToPath(new URL('../../../../', import.meta.url));

/** PostgreSQL: a server elsewhere, or the embedded one. */
export const DATABASE_SETTINGS = z.object({
  databaseUrl: url('postgres:', 'postgresql:').refine(isUnambiguous).optional().register(settings, {
    variable: 'DATABASE_URL',
    meaning:
      'PostgreSQL 15 to 18; without it the service runs its own in PETSTORE_DATA_DIR. A server must prove by SCRAM that it knows the password; the parameter require_auth, as in libpq, allows others.',
    allowed:
      'postgres://user:password@host:port/database, in which @ : / ? # % of the user and the password are percent-encoded',
    credentials: true,
  }),
  databaseReadUrl: url('postgres:', 'postgresql:').refine(isUnambiguous).optional().register(settings, {
    variable: 'DATABASE_READ_URL',
    meaning:
      'A hot standby of DATABASE_URL, or a balancer before several: lists, animals, categories, inventory and events for keys that may only read. It is left out while it is more than 5 s behind, 30 s while the primary does not respond; without it the primary serves.',
    allowed: 'as DATABASE_URL',
    credentials: true,
  }),
  dataDir: z
    .string()
    .refine((path) => !path.includes('\0'))
    .transform((path) => resolve(WORKSPACE, path))
    .prefault('.data')
    .register(settings, {
      variable: 'PETSTORE_DATA_DIR',
      meaning: 'Folder of the embedded database and its secrets; a relative one counts from the project.',
      allowed: 'a path',
    }),
});
