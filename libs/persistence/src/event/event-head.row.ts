import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Where the feed begins and ends: the one row of the table `event_head`. */
@Entity('event_head')
@Check('event_head_one', 'one')
@Check('event_head_order', 'first >= 0 and position >= first')
export class EventHeadRow {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'event_head_pkey' })
  one!: boolean;

  /** Of the newest event. */
  @Column('bigint')
  position!: string;

  /** Of the last event that is no longer kept. */
  @Column('bigint')
  first!: string;
}
