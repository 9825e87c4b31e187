import { CLUSTER_SETTINGS } from './settings/cluster.settings.js';
import { DATABASE_SETTINGS } from './settings/database.settings.js';
import { DEPRECATION_SETTINGS } from './settings/deprecation.settings.js';
import { DOCS_SETTINGS } from './settings/docs.settings.js';
import { EVENT_SETTINGS } from './settings/events.settings.js';
import { HTTP_SETTINGS } from './settings/http.settings.js';
import { KEY_SETTINGS } from './settings/keys.settings.js';
import { LIMIT_SETTINGS } from './settings/limits.settings.js';
import { MANAGEMENT_SETTINGS } from './settings/management.settings.js';
import { ORDER_SETTINGS } from './settings/orders.settings.js';
import { REDIS_SETTINGS } from './settings/redis.settings.js';
import { WEBHOOK_SETTINGS } from './settings/webhooks.settings.js';
import { mergeSettings } from './setting.js';

/** Every setting of the service and its tools; a test compares the table in docs/operations.md with it. */
export const SETTINGS = mergeSettings(
  HTTP_SETTINGS,
  CLUSTER_SETTINGS,
  MANAGEMENT_SETTINGS,
  DATABASE_SETTINGS,
  REDIS_SETTINGS,
  KEY_SETTINGS,
  LIMIT_SETTINGS,
  EVENT_SETTINGS,
  ORDER_SETTINGS,
  WEBHOOK_SETTINGS,
  DOCS_SETTINGS,
  DEPRECATION_SETTINGS,
);
