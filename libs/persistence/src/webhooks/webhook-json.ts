import { jsonObject } from '../sql/json.js';

/** Types are words: nothing in them needs an escape. */
const TYPES = `'["' || array_to_string(types, '","') || '"]'`;

/** SQL of an endpoint as JSON, of the columns of `webhooks`. */
export const WEBHOOK_JSON = jsonObject([
  { member: 'id', kind: 'int64', value: 'id' },
  { member: 'url', kind: 'text', value: 'url' },
  { member: 'types', kind: 'json', value: `(${TYPES})`, isOptional: true },
  { member: 'description', kind: 'text', value: 'description', isOptional: true },
  { member: 'status', kind: 'word', value: 'status' },
  { member: 'disabledReason', kind: 'word', value: 'disabled_reason', isOptional: true },
  { member: 'failingSince', kind: 'instant', value: 'failing_since', isOptional: true },
  { member: 'createdAt', kind: 'instant', value: 'created_at' },
]);

/** SQL of a delivery as JSON, of the columns of `webhook_deliveries`. */
export const DELIVERY_JSON = jsonObject([
  { member: 'id', kind: 'int64', value: 'id' },
  { member: 'eventId', kind: 'int64', value: 'position', isOptional: true },
  { member: 'type', kind: 'word', value: 'type' },
  { member: 'status', kind: 'word', value: 'status' },
  { member: 'attempts', kind: 'int64', value: 'attempts' },
  { member: 'lastAttemptAt', kind: 'instant', value: 'last_attempt_at', isOptional: true },
  { member: 'nextAttemptAt', kind: 'instant', value: 'next_attempt_at', isOptional: true },
  { member: 'responseStatus', kind: 'int64', value: 'response_status', isOptional: true },
  { member: 'error', kind: 'word', value: 'error', isOptional: true },
]);
