/** Regular work that one instance at a time does, whichever instance comes first. */
export interface ScheduledJob {
  /** Names the work in all instances, for ever: lower case, digits, `_` and `:`. */
  readonly name: string;
  /** From the end of a run in any instance to the beginning of the next one in any instance; at least 100. */
  readonly intervalMs: number;
  /** When its signal aborts. It then has {@link ABORT_GRACE_MS} to end before another instance may begin. */
  readonly timeoutMs: number;
  /**
   * Does the work. A rejection is logged, and the pauses before further attempts grow. An instance can die at any
   * point of it, so that it must be safe to repeat.
   *
   * @param signal aborts when the time is up, or the instance stops: the work ends at its next safe point
   */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** How long a job may take to end after its signal has aborted. Every statement ends sooner by its own timeout. */
export const ABORT_GRACE_MS = 3_000;

/** Longest pause before a failed job is run again, unless its interval is longer. */
export const MAX_BACKOFF_MS = 5 * 60 * 1000;

/** How long the instance that begins a run keeps others from beginning one, should it never say that the run ended. */
export function leaseMsOf({ timeoutMs }: ScheduledJob): number {
  return timeoutMs + ABORT_GRACE_MS;
}
