import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import type { RateLimitResult } from './rate-limit-result.js';

/** A ban in force. */
export interface Ban {
  /** Milliseconds until it ends by itself. */
  readonly remainingMs: number;
  /** How many bans there were in a row, this one included. */
  readonly count: number;
}

/** Where counters are kept and decisions are made. No method rejects: an unavailable store is handled inside. */
export interface RateLimitStore {
  /** Connects to what there is to connect to, within a time limit; goes on without what is not there. */
  open(): Promise<void>;
  /** Decides about one request, and charges it to both windows or to none. */
  charge(subject: RateLimitSubject): Promise<RateLimitResult>;
  /** The result that a request would get now, without making one. */
  peek(subject: RateLimitSubject): Promise<RateLimitResult>;
  /** The same as far as it is known here, at once. */
  recall(subject: RateLimitSubject): RateLimitResult;
  /** The ban of the subject with this id, or `undefined`. */
  banOf(id: string): Promise<Ban | undefined>;
  /** Ends a ban, and forgets the refusals and bans before it. Resolves to whether there was one. */
  liftBan(id: string): Promise<boolean>;
  close(): Promise<void>;
}
