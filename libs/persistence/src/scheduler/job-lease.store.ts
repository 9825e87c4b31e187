import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { EntityManager } from 'typeorm';

/** The right to run a job: until it is given back, or its time is up, no other instance gets one. */
export interface GrantedLease {
  readonly granted: true;
  readonly lease: string;
  /** Runs in a row that have failed before. */
  readonly failures: number;
}

/** The job is not due, or another instance runs it. */
interface RefusedLease {
  readonly granted: false;
  /** Milliseconds after which it may be granted. */
  readonly waitMs: number;
}

/** A job is due at once when it is seen for the first time. */
const ADD = `
  insert into scheduled_jobs (name, next_run_at) values ($1, now()) on conflict (name) do nothing`;

/**
 * Of two concurrent callers the second waits for the first one's commit, and then finds the row leased. Nothing is
 * written when the job is not due.
 */
const ACQUIRE = `
  with acquired as (
    update scheduled_jobs set lease = $2, leased_until = now() + $3::int * interval '1 millisecond'
    where name = $1 and next_run_at <= now() and coalesce(leased_until <= now(), true)
    returning name
  )
  select j.failures, a.name is not null as granted,
         ceil(extract(epoch from greatest(j.next_run_at, j.leased_until) - now()) * 1000)::float8 as "waitMs"
  from scheduled_jobs j left join acquired a on a.name = j.name
  where j.name = $1`;

const RELEASE = `
  update scheduled_jobs
  set lease = null, leased_until = null, failures = $4::int, next_run_at = now() + $3::int * interval '1 millisecond'
  where name = $1 and lease = $2`;

interface AcquireRow {
  readonly failures: number;
  readonly granted: boolean;
  readonly waitMs: number;
}

/**
 * Grants leases, rows of the table `scheduled_jobs`, so that one instance at a time runs a job. Unlike an advisory
 * lock, a lease needs no connection while the job runs, survives the end of a session, and says when the job is due
 * again in whichever instance.
 */
@Injectable()
export class JobLeaseStore {
  constructor(private readonly manager: EntityManager) {}

  /**
   * Requests the right to run a job, by the clock of the database.
   *
   * @param leaseMs how long it lasts from now on, at the most
   */
  async acquire(name: string, leaseMs: number): Promise<GrantedLease | RefusedLease> {
    const lease = randomUUID();
    const parameters = [name, lease, leaseMs];
    let [row] = await this.manager.query<AcquireRow[]>(ACQUIRE, parameters);
    if (row === undefined) {
      await this.manager.query(ADD, [name]);
      [row] = await this.manager.query<AcquireRow[]>(ACQUIRE, parameters);
    }
    if (row === undefined) throw new Error(`The job ${name} has no row in the table scheduled_jobs.`);
    const { granted, failures, waitMs } = row;
    return granted ? { granted, lease, failures } : { granted, waitMs: Math.max(waitMs, 0) };
  }

  /**
   * Gives the right back. Does nothing when its time was up and another instance has it.
   *
   * @param nextInMs when the job is due again
   * @param failures runs in a row that have failed
   */
  async release(name: string, lease: string, nextInMs: number, failures: number): Promise<void> {
    await this.manager.query(RELEASE, [name, lease, Math.round(nextInMs), failures]);
  }
}
