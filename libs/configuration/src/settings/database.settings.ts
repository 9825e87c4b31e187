import { z } from 'zod';
import { defineSettings, optionalSetting, settingWithDefault } from '../setting.js';
import { isUnambiguous, url } from '../value-types.js';

/** PostgreSQL: a server elsewhere, or the embedded one. */
export const DATABASE_SETTINGS = defineSettings({
  databaseUrl: optionalSetting({
    variable: 'DATABASE_URL',
    meaning:
      'PostgreSQL 15 to 18; without it the service runs its own in PETSTORE_DATA_DIR. A server must prove by SCRAM that it knows the password; the parameter require_auth, as in libpq, allows others.',
    allowed:
      'postgres://user:password@host:port/database, in which @ : / ? # % of the user and the password are percent-encoded',
    credentials: true,
    schema: url('postgres:', 'postgresql:').refine(isUnambiguous),
  }),
  dataDir: settingWithDefault({
    variable: 'PETSTORE_DATA_DIR',
    meaning: 'Folder of the embedded database and its secrets; a relative one counts from the project.',
    allowed: 'a path',
    fallback: '.data',
    schema: z.string().refine((text) => !text.includes('\0')),
  }),
});
