import type { RateLimitSubject } from './subject.js';
import type { RateLimitResult } from './rate-limit-result.js';

/** Why limits are kept in the process instead of Redis. */
export interface Degradation {
  /** The Redis node that is unavailable: `host:port`. */
  readonly node: string;
  /** What happened, for a log line: an error's message, or that there was no response in time. */
  readonly reason: string;
  /** Whether it responds, but refuses the connection, its user or its database: its settings or the limiter's are wrong. */
  readonly refused: boolean;
}

/** The end of a {@link Degradation}. */
export interface Recovery {
  readonly node: string;
  /** How long it lasted, in milliseconds. */
  readonly afterMs: number;
}

/** Is called with what the limiter does: for metrics and log lines. No method may throw. */
export interface RateLimitObserver {
  /** After every decision, admitted or not; a refusal and the request that brought a ban are seen in the result. */
  decided?(subject: RateLimitSubject, result: RateLimitResult): void;
  /** A subject was banned just now; `decided` follows for the same result. */
  banned?(subject: RateLimitSubject, result: RateLimitResult): void;
  /** Once when a Redis node becomes unavailable, and not again before it has come back. */
  degraded?(degradation: Degradation): void;
  /** Once when it has come back. */
  recovered?(recovery: Recovery): void;
  /**
   * Redis had lost a part of what it had counted for a subject (its values were evicted, or replaced by another program), or
   * its clock was set back by more than a second: the subject has begun anew.
   */
  lost?(subject: RateLimitSubject): void;
}
