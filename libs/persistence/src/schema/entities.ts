import type { EntitySchema } from 'typeorm';
import {
  ApiKeySchema,
  AuditEntrySchema,
  KeyActivitySchema,
  KeyDaySchema,
  KeySecretSchema,
} from '../api-keys/api-key.schema.js';
import { CategorySchema } from '../categories/category.schema.js';
import { PetSchema } from '../pets/pet.schema.js';
import { WebhookSchema, WebhookSecretSchema } from '../webhooks/webhook.schema.js';

/**
 * What TypeORM knows of the tables: their columns. Constraints, indexes and defaults are the migrations' alone, and so is
 * every table that is used by SQL only.
 */
export const ENTITIES: readonly EntitySchema[] = [
  PetSchema,
  CategorySchema,
  ApiKeySchema,
  KeySecretSchema,
  KeyDaySchema,
  KeyActivitySchema,
  AuditEntrySchema,
  WebhookSchema,
  WebhookSecretSchema,
];
