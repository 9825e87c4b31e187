import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who runs a job and when it is due, in the table `scheduled_jobs`. All times are the database's. */
@Entity('scheduled_jobs')
export class ScheduledJobRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'scheduled_jobs_pkey' })
  name!: string;

  @Column('timestamptz', { name: 'next_run_at' })
  nextRunAt!: Date;

  /** The run under way, a UUID; none when the last one has ended. */
  @Column('text', { name: 'lease', nullable: true })
  lease!: string | null;

  /** Until when no other instance may begin a run. */
  @Column('timestamptz', { name: 'leased_until', nullable: true })
  leasedUntil!: Date | null;

  /** Runs in a row that have failed. */
  @Column('integer', { default: 0 })
  failures!: number;
}
