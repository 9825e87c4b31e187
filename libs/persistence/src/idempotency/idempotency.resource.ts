import { CreateAddRequests1795140000000 } from '../migrations/1795140000000-create-add-requests.js';
import { CreateIdempotentRequests1795150800000 } from '../migrations/1795150800000-create-idempotent-requests.js';
import { AddRequestRow } from './add-request.row.js';
import { IS_KEPT } from './idempotency-statements.js';
import { retentionOfRequests } from './idempotent-request.retention.js';
import { IdempotentRequestRow } from './idempotent-request.row.js';

/** What requests that are carried out once bring to the database. */
export const IDEMPOTENCY_RESOURCE = {
  rows: [IdempotentRequestRow, AddRequestRow],
  migrations: [CreateAddRequests1795140000000, CreateIdempotentRequests1795150800000],
  reads: [IS_KEPT],
  retention: [retentionOfRequests('idempotent_requests'), retentionOfRequests('add_requests')],
};
