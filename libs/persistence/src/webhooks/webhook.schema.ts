import { DELIVERY_FIELDS, Webhook, WEBHOOK_FIELDS, type WebhookId } from '@petstore/webhook';
import { EntitySchema } from 'typeorm';
import { type Column, columnsOf } from '../sql/columns.js';

/** The table `webhooks`. */
export const WebhookSchema = new EntitySchema<Webhook>({
  name: 'Webhook',
  target: Webhook,
  tableName: 'webhooks',
  columns: {
    id: { type: 'bigint', primary: true, generated: true },
    keyId: { name: 'key_id', type: 'text', nullable: true },
    url: { type: 'text' },
    types: { type: 'text', array: true, nullable: true },
    description: { type: 'text', nullable: true },
    status: { type: 'text' },
    disabledReason: { name: 'disabled_reason', type: 'text', nullable: true },
    failingSince: { name: 'failing_since', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
    updatedAt: { name: 'updated_at', type: 'timestamptz', updateDate: true, select: false },
    failedAttempts: { name: 'failed_attempts', type: 'integer', select: false },
    isSlow: { name: 'is_slow', type: 'boolean', select: false },
  },
});

/** What the deliveries to an endpoint are signed with. */
export interface SealedWebhookSecret {
  readonly id: string;
  readonly webhookId: WebhookId;
  readonly sealed: Buffer;
  /** `null` for the current one. */
  readonly validUntil: Date | null;
}

/** The table `webhook_secrets`. */
export const WebhookSecretSchema = new EntitySchema<SealedWebhookSecret>({
  name: 'WebhookSecret',
  tableName: 'webhook_secrets',
  columns: {
    id: { type: 'bigint', primary: true, generated: true },
    webhookId: { name: 'webhook_id', type: 'bigint' },
    sealed: { type: 'bytea' },
    validUntil: { name: 'valid_until', type: 'timestamptz', nullable: true },
  },
});

/** Of the table `webhooks`, as far as readers see it. */
export const WEBHOOK_COLUMNS = columnsOf(WEBHOOK_FIELDS);

/** What attempts change of an endpoint, behind its id. */
export const JUDGED_COLUMNS: readonly Column[] = [
  ...WEBHOOK_COLUMNS.filter(({ member }) =>
    ['id', 'status', 'disabledReason', 'failingSince'].includes(member),
  ),
  {
    ...{ member: 'failedAttempts', name: 'failed_attempts', type: 'integer' },
    ...{ kind: 'number', isOptional: false },
  },
  { member: 'isSlow', name: 'is_slow', type: 'boolean', kind: 'ascii', isOptional: false },
];

/** Of the table `webhook_deliveries`, as far as readers see it. */
export const DELIVERY_COLUMNS = columnsOf(DELIVERY_FIELDS, { eventId: 'position' });
