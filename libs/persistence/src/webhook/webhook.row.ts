import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { ApiKeyRow } from '../api-key/api-key.row.js';

/** One webhook endpoint in the table `webhooks`. */
@Entity('webhooks')
@Unique('webhooks_key_url', ['keyId', 'url'])
@Index('webhooks_enabled', ['id'], { where: "status = 'enabled'" })
@Check('webhooks_status_known', "status in ('enabled', 'disabled')")
@Check('webhooks_disabled_reason_known', "disabled_reason in ('failing', 'gone')")
@Check('webhooks_reason_of_disabled', "disabled_reason is null or status = 'disabled'")
export class WebhookRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'webhooks_pkey',
  })
  id!: string;

  /** Of the key that it belongs to; `null` for one that was removed, while its deliveries are cleared away. */
  @Column('text', { name: 'key_id', nullable: true })
  keyId!: string | null;

  @ManyToOne(() => ApiKeyRow, { nullable: true })
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'webhooks_key_id_fkey' })
  key?: unknown;

  /** Normalised (WHATWG URL). */
  @Column('text')
  url!: string;

  /** Which events are delivered; `null` for all that the key may see. */
  @Column('text', { array: true, nullable: true })
  types!: string[] | null;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text')
  status!: string;

  /** `null` also when it was disabled by hand. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: string | null;

  /** Since when every attempt has failed; `null` when the last one has not. */
  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  /** Attempts that have failed since then; of no meaning while it is `null`. */
  @Column('integer', { name: 'failed_attempts', default: 0 })
  failedAttempts!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
