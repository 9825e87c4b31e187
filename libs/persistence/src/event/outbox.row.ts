import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * An event that has no position yet, in the table `outbox`. Written in the transaction of the change, behind the row
 * lock on what is changed: so the events of one thing have ids in the order of its changes.
 */
@Entity('outbox')
export class OutboxRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'outbox_pkey',
  })
  id!: string;

  @Column('text')
  type!: string;

  @Column('text')
  resource!: string;

  /** Key id of the only reader beside those who see everything; `null` for an event for all. */
  @Column('text', { nullable: true })
  audience!: string | null;

  @Column('text')
  data!: string;

  @Column('timestamptz', { name: 'happened_at', default: () => 'now()' })
  happenedAt!: Date;
}
