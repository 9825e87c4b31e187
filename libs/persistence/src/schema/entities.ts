import type { EntitySchema } from 'typeorm';
import { ApiKeyActivityRow } from '../api-keys/api-key-activity.row.js';
import { ApiKeyAuditRow } from '../api-keys/api-key-audit.row.js';
import { ApiKeySecretRow } from '../api-keys/api-key-secret.row.js';
import { ApiKeyUsageRow } from '../api-keys/api-key-usage.row.js';
import { ApiKeyRow } from '../api-keys/api-key.row.js';
import { OrderSchema } from '../orders/order.schema.js';
import { CategorySchema } from '../categories/category.schema.js';
import { PetSchema } from '../pets/pet.schema.js';

/**
 * What TypeORM knows of the tables: their columns. Constraints, indexes and defaults are the migrations' alone, and so is
 * every table that is used by SQL only.
 */
export const ENTITIES: readonly (EntitySchema | (new () => object))[] = [
  PetSchema,
  CategorySchema,
  OrderSchema,
  ApiKeyRow,
  ApiKeySecretRow,
  ApiKeyUsageRow,
  ApiKeyActivityRow,
  ApiKeyAuditRow,
];
