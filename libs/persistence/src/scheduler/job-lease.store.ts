import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { EntityManager } from 'typeorm';

/**
 * A job is due at once when it is seen for the first time. Of two concurrent callers the second waits for the first one's
 * commit, and then finds the row leased.
 */
const ACQUIRE = `
  with acquired as (
    insert into scheduled_jobs as job (name, next_run_at, lease, leased_until)
    values ($1, now(), $2, now() + $3::int * interval '1 millisecond')
    on conflict (name) do update set lease = excluded.lease, leased_until = excluded.leased_until
      where job.next_run_at <= now() and coalesce(job.leased_until <= now(), true)
    returning lease
  )
  select (select lease from acquired) as lease, greatest(0, (
    select extract(epoch from greatest(next_run_at, leased_until) - now()) * 1000 from scheduled_jobs where name = $1
  ))::float8 as "waitMs"`;

const RELEASE = `
  update scheduled_jobs set lease = null, leased_until = null, next_run_at = now() + $3::int * interval '1 millisecond'
  where name = $1 and lease = $2`;

/**
 * Grants leases, rows of the table `scheduled_jobs`, so that one instance at a time runs a job. Unlike an advisory
 * lock, a lease needs no connection while the job runs, survives the end of a session, and says when the job is due
 * again in whichever instance.
 */
@Injectable()
export class JobLeaseStore {
  constructor(private readonly manager: EntityManager) {}

  /**
   * Requests the right to run a job, by the clock of the database: until it is given back, or its time is up, no other
   * instance gets it.
   *
   * @param leaseMs how long it lasts from now on, at the most
   * @returns no lease while the job is not due, or another instance runs it: then `waitMs` says when it may be granted
   */
  async acquire(
    name: string,
    leaseMs: number,
  ): Promise<{ readonly lease: string | null; readonly waitMs: number }> {
    const [row] = await this.manager.query<[{ lease: string | null; waitMs: number }]>(ACQUIRE, [
      name,
      randomUUID(),
      leaseMs,
    ]);
    return row;
  }

  /**
   * Gives the right back. Does nothing when its time was up and another instance has it.
   *
   * @param nextInMs when the job is due again
   */
  async release(name: string, lease: string, nextInMs: number): Promise<void> {
    await this.manager.query(RELEASE, [name, lease, nextInMs]);
  }
}
