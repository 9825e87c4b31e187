import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { ApiKeyRow } from '../api-key/api-key.row.js';

/** One adoption order in the table `orders`. */
@Entity('orders')
@Index('orders_active_pet', ['petId'], {
  unique: true,
  where: "status in ('placed', 'approved', 'delivered')",
})
@Index('orders_key', ['keyId', 'id'])
@Index('orders_key_status', ['keyId', 'status', 'id'])
@Index('orders_status', ['status', 'id'])
@Index('orders_pet', ['petId', 'id'])
@Index('orders_due', ['expiresAt'], { where: 'expires_at is not null' })
@Check(
  'orders_status_known',
  "status in ('placed', 'approved', 'delivered', 'returned', 'cancelled', 'declined', 'expired')",
)
@Check('orders_expiry', "(status in ('placed', 'approved')) = (expires_at is not null)")
export class OrderRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'orders_pkey',
  })
  id!: string;

  @Column('bigint', { name: 'pet_id' })
  petId!: string;

  /** Of the key that placed it. */
  @Column('text', { name: 'key_id' })
  keyId!: string;

  @ManyToOne(() => ApiKeyRow, { nullable: false })
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'orders_key_id_fkey' })
  key?: unknown;

  @Column('text')
  status!: string;

  @Column('text', { nullable: true })
  reference!: string | null;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('timestamptz', { name: 'placed_at', default: () => 'now()' })
  placedAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  /** Only while it is placed or approved. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;
}
