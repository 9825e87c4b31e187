import { KEY_USAGE_RETENTION } from '../api-keys/key-usage.retention.js';
import { eventRetention } from '../events/event.retention.js';
import { IDEMPOTENT_REQUEST_RETENTION } from '../idempotency/idempotent-request.retention.js';
import { deliveryRetention, REMOVED_WEBHOOKS } from '../webhooks/webhook.retention.js';
import type { RetentionRule } from './retention-rule.js';

/** Which rows are removed, and when. @param eventRetentionDays also of deliveries */
export function retentionRules(eventRetentionDays: number): readonly RetentionRule[] {
  return [
    KEY_USAGE_RETENTION,
    IDEMPOTENT_REQUEST_RETENTION,
    ...REMOVED_WEBHOOKS,
    eventRetention(eventRetentionDays),
    deliveryRetention(eventRetentionDays),
  ];
}
