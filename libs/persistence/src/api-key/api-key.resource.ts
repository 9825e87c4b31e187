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
  reads: [HISTORY],
  retention: [KEY_USAGE_RETENTION],
};
