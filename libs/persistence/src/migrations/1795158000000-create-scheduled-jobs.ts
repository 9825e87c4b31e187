import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/** The table of regular work, one row a job. Instances of earlier versions, which do not know it, are not disturbed. */
export class CreateScheduledJobs1795158000000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'CreateScheduledJobs1795158000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table scheduled_jobs (
        name text not null,
        next_run_at timestamptz not null,
        lease text,
        leased_until timestamptz,
        failures integer not null default 0,
        constraint scheduled_jobs_pkey primary key (name)
      )`);
  }
}
