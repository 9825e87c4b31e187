import type { Caller } from '../key/caller.js';
import type { KeyId } from '../key/key-id.js';
import type { ApiKeyCacheBounds } from './cache-bounds.js';
import type { FoundKey } from './key-lookup.js';

/** An accepted key. */
export interface CachedKey {
  readonly caller: Caller;
  /** Calendar time in milliseconds. */
  readonly usableUntil: number;
  /** Elapsed time when the reading began: what was changed after it may be missing here. */
  readonly readAt: number;
  /** Elapsed time from which it is read again behind the requests. */
  refreshAt: number;
}

/**
 * What is known of keys, by the digests of their secrets, bounded in number and age. Times are elapsed times in
 * milliseconds.
 */
export class CachedKeys {
  private readonly accepted = new Map<string, CachedKey>();
  /** Digest to the time at which the refusal was read. */
  private readonly refused = new Map<string, number>();

  constructor(private readonly bounds: ApiKeyCacheBounds) {}

  /** The accepted key, if it is not too old. */
  find(digest: string, now: number): CachedKey | undefined {
    const known = this.accepted.get(digest);
    if (known === undefined || now - known.readAt < this.bounds.maxAge) return known;
    this.accepted.delete(digest);
    return undefined;
  }

  /** Whether the key was refused not too long ago. */
  isRefused(digest: string, now: number): boolean {
    const readAt = this.refused.get(digest);
    if (readAt === undefined) return false;
    if (now - readAt < this.bounds.maxRefusedAge) return true;
    this.refused.delete(digest);
    return false;
  }

  /** Takes what was read: a usable key, or that there is none. */
  set(digest: string, found: FoundKey | undefined, readAt: number): void {
    this.accepted.delete(digest);
    this.refused.delete(digest);
    if (found === undefined) {
      keepNewest(this.refused, this.bounds.refused, digest, readAt);
      return;
    }
    keepNewest(this.accepted, this.bounds.accepted, digest, {
      caller: found.caller,
      usableUntil: usableUntil(found),
      readAt,
      refreshAt: readAt + this.bounds.refreshAfter,
    });
  }

  /** Every secret of the key. */
  deleteKey(keyId: KeyId): void {
    for (const [digest, { caller }] of this.accepted) {
      if (caller.keyId === keyId) this.accepted.delete(digest);
    }
  }

  clearRefused(): void {
    this.refused.clear();
  }
}

/** Calendar time in milliseconds until which the key may be used; infinite without an end. */
export function usableUntil(found: FoundKey): number {
  return found.usableUntil?.getTime() ?? Infinity;
}

/** Maps keep the order of insertion: the first entry is the one read longest ago. */
function keepNewest<Value>(map: Map<string, Value>, capacity: number, digest: string, value: Value): void {
  if (map.size >= capacity) {
    for (const oldest of map.keys()) {
      map.delete(oldest);
      break;
    }
  }
  map.set(digest, value);
}
