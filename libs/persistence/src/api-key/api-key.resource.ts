import { CreateApiKeys1795136400000 } from '../migrations/1795136400000-create-api-keys.js';
import { IndexKeyUsageByDay1795143600000 } from '../migrations/1795143600000-index-key-usage-by-day.js';
import { NoteWhoWroteKeyHashes1795147200000 } from '../migrations/1795147200000-note-who-wrote-key-hashes.js';
import { OpenTheScopesOfKeys1795161600000 } from '../migrations/1795161600000-open-the-scopes-of-keys.js';
import { ApiKeyActivityRow } from './api-key-activity.row.js';
import { ApiKeyAuditRow } from './api-key-audit.row.js';
import { ApiKeySecretRow } from './api-key-secret.row.js';
import { ApiKeyUsageRow } from './api-key-usage.row.js';
import { ApiKeyRow } from './api-key.row.js';
import { HISTORY } from './key-usage-statements.js';
import { KEY_USAGE_RETENTION } from './key-usage.retention.js';

/** What API keys bring to the database. */
export const API_KEY_RESOURCE = {
  rows: [ApiKeyRow, ApiKeySecretRow, ApiKeyUsageRow, ApiKeyActivityRow, ApiKeyAuditRow],
  migrations: [
    CreateApiKeys1795136400000,
    IndexKeyUsageByDay1795143600000,
    NoteWhoWroteKeyHashes1795147200000,
    OpenTheScopesOfKeys1795161600000,
  ],
  reads: [HISTORY],
  retention: [KEY_USAGE_RETENTION],
};
