import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { WebhookRow } from './webhook.row.js';

/** One event for one endpoint, in the table `webhook_deliveries`. */
@Entity('webhook_deliveries')
@Unique('webhook_deliveries_event', ['webhookId', 'position'])
@Index('webhook_deliveries_due', ['nextAttemptAt', 'id'], { where: "status = 'pending'" })
@Index('webhook_deliveries_list', ['webhookId', 'status', 'id'])
@Index('webhook_deliveries_age', ['createdAt'])
@Index('webhook_deliveries_lane', ['webhookId', 'nextAttemptAt', 'id'], { where: "status = 'pending'" })
@Check('webhook_deliveries_status_known', "status in ('pending', 'delivered', 'failed', 'dropped')")
@Check(
  'webhook_deliveries_error_known',
  "error in ('http_status', 'timeout', 'dns', 'refused_address', 'connection', 'tls')",
)
@Check('webhook_deliveries_due_pending', "(status = 'pending') = (next_attempt_at is not null)")
export class WebhookDeliveryRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'webhook_deliveries_pkey',
  })
  id!: string;

  @Column('bigint', { name: 'webhook_id' })
  webhookId!: string;

  @ManyToOne(() => WebhookRow, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'webhook_deliveries_webhook_id_fkey' })
  webhook?: unknown;

  /** Of the event in the feed; `null` for a test. */
  @Column('bigint', { nullable: true })
  position!: string | null;

  @Column('text')
  type!: string;

  @Column('text')
  status!: string;

  /** Attempts that have begun. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** While an attempt is under way: when its lease ends. Only of a pending one. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt!: Date | null;

  @Column('timestamptz', { name: 'last_attempt_at', nullable: true })
  lastAttemptAt!: Date | null;

  @Column('integer', { name: 'response_status', nullable: true })
  responseStatus!: number | null;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
