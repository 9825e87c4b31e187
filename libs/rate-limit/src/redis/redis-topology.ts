import type { ScriptCall } from './script-call.js';

/** One Redis or a cluster of them: which node serves a key, and which keys can travel in one call. */
export interface RedisTopology {
  /** Keys with equal numbers can be decided about in one call: a cluster's slots; 0 for all without one. */
  groupOf(key: string): number;
  /** Sends calls whose keys are each of one group, those for the same node together. */
  run(calls: readonly (readonly [group: number, call: ScriptCall])[]): void;
  /** Resolves when connected, or after `patienceMs` without being so. */
  connected(patienceMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Name of the key that a probe writes, with a number to vary the slot. */
export function probeKey(prefix: string, variation: number): string {
  return `${prefix}probe:${variation}`;
}
