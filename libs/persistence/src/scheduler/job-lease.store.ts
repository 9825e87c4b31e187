/** The right to run a job: until it is given back, or its time is up, no other instance gets one. */
export interface GrantedLease {
  readonly granted: true;
  readonly lease: string;
  /** Runs in a row that have failed before. */
  readonly failures: number;
}

/** The job is not due, or another instance runs it. */
export interface RefusedLease {
  readonly granted: false;
  /** Milliseconds after which it may be granted. */
  readonly waitMs: number;
  /** Whether another instance runs it. */
  readonly running: boolean;
}

/** Sees to it that one instance at a time runs a job. The scheduler owns this port; an adapter implements it. */
export interface JobLeaseStore {
  /**
   * Asks for the right to run a job. What seems to be further ahead than it can be was put off by a clock that was wrong:
   * the job is due, and its lease is over.
   *
   * @param leaseMs how long it lasts from now on, at the most
   * @param intervalMs the longest that a job which has not failed waits for its next run
   * @param early whether the job may begin before it is due; one that has failed never does
   */
  acquire(
    name: string,
    leaseMs: number,
    intervalMs: number,
    early: boolean,
  ): Promise<GrantedLease | RefusedLease>;
  /**
   * Gives the right back. Does nothing when its time was up and another instance has it.
   *
   * @param nextInMs when the job is due again
   * @param failures runs in a row that have failed
   */
  release(name: string, lease: string, nextInMs: number, failures: number): Promise<void>;
}
