import { IS_KEPT } from './idempotency-statements.js';
import { IDEMPOTENT_REQUEST_RETENTION } from './idempotent-request.retention.js';
import { IdempotentRequestRow } from './idempotent-request.row.js';

/** What requests that are carried out once bring to the database. */
export const IDEMPOTENCY_RESOURCE = {
  rows: [IdempotentRequestRow],
  reads: [IS_KEPT],
  retention: [IDEMPOTENT_REQUEST_RETENTION],
};
