import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  decimal,
  defineSettings,
  isUnambiguous,
  onOff,
  settings,
  type SettingsOf,
  url,
} from '../settings/settings.js';

const WORKSPACE = fileURLToPath(new URL('../../../../', import.meta.url));

/** Parameters of a URL of PostgreSQL that pg honours, and that change nothing that the service sets itself. */
const PARAMETERS = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'],
  ...['host', 'port', 'user', 'password', 'application_name', 'options', 'replication'],
];

/** libpq knows more parameters, such as `channel_binding`: what would be ignored is refused. */
const databaseUrl = url('postgres:', 'postgresql:')
  .refine(isUnambiguous)
  .refine((text) => [...new URL(text).searchParams.keys()].every((name) => PARAMETERS.includes(name)));

/** PostgreSQL, elsewhere or embedded; how long events are kept, and which instance does the background work. */
export const STORAGE_SETTINGS = defineSettings('storage', {
  databaseUrl: databaseUrl.optional().register(settings, {
    variable: 'DATABASE_URL',
    meaning:
      'PostgreSQL 15 to 18; without it the service runs its own in PETSTORE_DATA_DIR. Against an impostor at its address, add sslmode=verify-full.',
    allowed: `postgres://user:password@host:port/database?parameters (${PARAMETERS.join(', ')}), in which @ : / ? # % of the user and the password are percent-encoded`,
    credentials: true,
  }),
  databaseReadUrl: databaseUrl.optional().register(settings, {
    variable: 'DATABASE_READ_URL',
    meaning:
      'A hot standby of DATABASE_URL, or a balancer before several: animals, their lists and profiles, inventory and events for keys that may only read. It is left out while it is more than 5 s behind, 30 s while the primary does not respond; without it the primary serves.',
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
  eventRetentionDays: decimal('days', 0.001, 400).prefault('30').register(settings, {
    variable: 'EVENT_RETENTION_DAYS',
    meaning: 'How long events are kept; a consumer that is further behind must fetch everything again.',
  }),
  worker: onOff.prefault('on').register(settings, {
    variable: 'WORKER',
    meaning:
      'Whether this instance also does what no request waits for: it gives events their positions, sends webhooks and removes old rows. At least one instance must.',
  }),
});

export type StorageSettings = SettingsOf<typeof STORAGE_SETTINGS>;
