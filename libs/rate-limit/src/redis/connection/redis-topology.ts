import type { RateLimitObserver } from '../../decision/rate-limit-observer.js';
import type { RedisTimeouts } from './redis-timeouts.js';
import type { RedisScript } from '../script/redis-script.js';
import type { ScriptCall } from './script-call.js';

/** What every topology works with. */
export interface TopologyOptions {
  /** What the names of all keys begin with. */
  readonly prefix: string;
  readonly observer: RateLimitObserver;
  readonly timeouts: RedisTimeouts;
  /** The script of the charges, which is also what shows that a server is there. */
  readonly script: RedisScript;
}

/** One Redis or a cluster of them: which node serves a key, and which keys can travel in one call. */
export interface RedisTopology {
  /** Keys with equal numbers can be decided about in one call: a cluster's slots; 0 for all without one. */
  groupOf(key: string): number;
  /** Sends calls whose keys are each of one group, those for the same node together. */
  run(calls: readonly (readonly [group: number, call: ScriptCall])[]): void;
  /**
   * Connects; resolves when every node has run the script, or is known to be unavailable and the observer has been called: after
   * `timeoutMs` at the latest.
   */
  connect(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Name of the key that a probe writes and removes, with a number to vary the slot. */
export function probeKey(prefix: string, variation: number): string {
  return `${prefix}probe:${variation}`;
}
