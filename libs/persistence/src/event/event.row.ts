import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event at its place, in the table `events`. Never changed, and removed only by age. */
@Entity('events')
@Index('events_resource', ['resource', 'position'])
@Index('events_audience', ['audience', 'position'], { where: 'audience is not null' })
export class EventRow {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'events_pkey' })
  position!: string;

  @Column('text')
  type!: string;

  @Column('text')
  resource!: string;

  @Column('text', { nullable: true })
  audience!: string | null;

  /** The whole event as readers get it: the same bytes for all. */
  @Column('text')
  json!: string;

  @Column('timestamptz', { name: 'happened_at' })
  happenedAt!: Date;
}
