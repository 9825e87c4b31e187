import { ApiKeyActivityRow } from './api-key/api-key-activity.row.js';
import { ApiKeyAuditRow } from './api-key/api-key-audit.row.js';
import { ApiKeySecretRow } from './api-key/api-key-secret.row.js';
import { ApiKeyUsageRow } from './api-key/api-key-usage.row.js';
import { ApiKeyRow } from './api-key/api-key.row.js';
import { IdempotentRequestRow } from './idempotency/idempotent-request.row.js';
import { AddRequestRow } from './idempotency/add-request.row.js';
import { PetRow } from './pet/pet.row.js';

/** Every row class of the service. */
export const ENTITIES = [
  PetRow,
  IdempotentRequestRow,
  AddRequestRow,
  ApiKeyRow,
  ApiKeySecretRow,
  ApiKeyUsageRow,
  ApiKeyActivityRow,
  ApiKeyAuditRow,
] as const;
