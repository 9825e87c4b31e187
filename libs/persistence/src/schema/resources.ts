import { API_KEY_RESOURCE } from '../api-key/api-key.resource.js';
import { CATEGORY_RESOURCE } from '../category/category.resource.js';
import { EVENT_RESOURCE } from '../event/event.resource.js';
import { IDEMPOTENCY_RESOURCE } from '../idempotency/idempotency.resource.js';
import { INVENTORY_RESOURCE } from '../inventory/inventory.resource.js';
import { ORDER_RESOURCE } from '../order/order.resource.js';
import { PET_IMPORT_RESOURCE } from '../pet-import/pet-import.resource.js';
import { PET_RESOURCE } from '../pet/pet.resource.js';
import type { Statement } from '../pipeline/statement.js';
import type { RetentionRule } from '../retention/retention-rule.js';
import { SCHEDULER_RESOURCE } from '../scheduler/scheduler.resource.js';
import { WEBHOOK_RESOURCE } from '../webhook/webhook.resource.js';
import type { Resource } from './resource.js';

/** Everything that is kept in the database, one row a resource. */
const RESOURCES: readonly Resource[] = [
  PET_RESOURCE,
  API_KEY_RESOURCE,
  SCHEDULER_RESOURCE,
  IDEMPOTENCY_RESOURCE,
  EVENT_RESOURCE,
  INVENTORY_RESOURCE,
  CATEGORY_RESOURCE,
  ORDER_RESOURCE,
  PET_IMPORT_RESOURCE,
  WEBHOOK_RESOURCE,
];

/** Every row class of the service. */
export const ENTITIES: Resource['rows'] = RESOURCES.flatMap(({ rows }) => rows);

/** What every reading and every writing connection of the pipelines prepares. */
export const READS: readonly Statement[] = RESOURCES.flatMap(({ reads = [] }) => reads);
export const WRITES: readonly Statement[] = RESOURCES.flatMap(({ writes = [] }) => writes);

/** Which rows are removed, and when. */
export const RETENTION_RULES: readonly RetentionRule[] = RESOURCES.flatMap(({ retention = [] }) => retention);
