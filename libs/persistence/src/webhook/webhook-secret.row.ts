import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { WebhookRow } from './webhook.row.js';

/** A secret that deliveries to an endpoint are signed with, sealed, in the table `webhook_secrets`. */
@Entity('webhook_secrets')
@Index('webhook_secrets_webhook', ['webhookId', 'id'])
export class WebhookSecretRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'webhook_secrets_pkey',
  })
  id!: string;

  @Column('bigint', { name: 'webhook_id' })
  webhookId!: string;

  @ManyToOne(() => WebhookRow, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'webhook_secrets_webhook_id_fkey' })
  webhook?: unknown;

  /** AES-256-GCM under a key derived from the pepper. */
  @Column('bytea')
  sealed!: Buffer;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** `null` for the current one. */
  @Column('timestamptz', { name: 'valid_until', nullable: true })
  validUntil!: Date | null;
}
