import { hash } from 'node:crypto';
import type { KnownHashes } from '../filter/api-key-filter.js';
import type { Caller } from '../key/caller.js';
import { type Clock, systemClock } from '../clock/clock.js';
import type { ApiKeyEvent } from '../events/api-key-event.js';
import type { FoundKey, KeyLookup } from './key-lookup.js';
import { KeyStoreUnavailable } from '../key/key-store-unavailable.error.js';
import type { KeyHash, SecretHasher } from '../secrets/secret-hasher.js';
import { Semaphore } from './semaphore.js';

/** How long a process may go on believing what it has read, and how much it may remember. */
export interface ApiKeyCacheBounds {
  /** Most accepted keys remembered. */
  readonly accepted: number;
  /** Most refused keys remembered. */
  readonly refused: number;
  /** Age in milliseconds from which an accepted key is read again behind the requests that use it. */
  readonly refreshAfter: number;
  /** Age in milliseconds after which an accepted key is not believed any more. */
  readonly maxAge: number;
  /** Age in milliseconds after which a refusal is not believed any more. */
  readonly maxRefusedAge: number;
}

/** Every change takes effect within 8 seconds, also where no event arrives. */
export const DEFAULT_BOUNDS: ApiKeyCacheBounds = {
  accepted: 10_000,
  refused: 10_000,
  refreshAfter: 4_000,
  maxAge: 8_000,
  maxRefusedAge: 4_000,
};

/** After a failed refresh the next attempt waits this long, in milliseconds. */
const RETRY_AFTER = 500;

/** Most keys that requests wait for being looked up at a time. Only keys that the filter knows come so far. */
const LOOKUPS_AT_ONCE = 16;

/** Longest that a look-up waits for its turn, in milliseconds: a store that hangs gets no queue. */
const PATIENCE = 2_000;

type Hashes = readonly [KeyHash, ...KeyHash[]];

interface Remembered {
  readonly caller: Caller;
  /** Calendar time in milliseconds. */
  readonly usableUntil: number;
  /** Elapsed time when the reading began: what was changed after it may be missing here. */
  readonly readAt: number;
  refreshAt: number;
}

/**
 * Turns keys into callers: remembers both answers for a short while, in bounded space, and reads a key
 * once however many requests ask for it at the same time. What the filter does not know is refused without a
 * look-up.
 *
 * Remembers SHA-256 digests, so that a dump of the memory holds no key.
 */
export class ApiKeyCache {
  private readonly accepted = new Map<string, Remembered>();
  /** Digest to the elapsed time at which the refusal was read. */
  private readonly refused = new Map<string, number>();
  private readonly reading = new Map<string, Promise<Caller | undefined>>();
  /** Digests of keys that the filter does not know, with what is waited for. */
  private readonly unknown = new Map<string, Promise<void>>();
  /** Counts the events: what was being read when one arrived is not remembered. */
  private epoch = 0;
  /** The filter's version that the refusals were read at. */
  private version = 0;
  private readonly semaphore = new Semaphore(LOOKUPS_AT_ONCE);

  constructor(
    private readonly lookup: KeyLookup,
    private readonly hasher: SecretHasher,
    private readonly filter: KnownHashes,
    private readonly clock: Clock = systemClock,
    private readonly bounds: ApiKeyCacheBounds = DEFAULT_BOUNDS,
  ) {}

  /** What is remembered of a key: its caller, that it is refused, or nothing (`undefined`). */
  get(key: string): Caller | 'refused' | undefined {
    const digest = digestOf(key);
    const elapsed = this.clock.elapsed();
    const known = this.accepted.get(digest);
    if (known === undefined) return this.getRefusal(digest, elapsed);
    if (elapsed - known.readAt >= this.bounds.maxAge) {
      this.accepted.delete(digest);
      return undefined;
    }
    if (this.clock.now() >= known.usableUntil) return 'refused';
    if (elapsed >= known.refreshAt) {
      known.refreshAt = elapsed + RETRY_AFTER;
      // The requests live on what is remembered; when it is too old they ask for themselves.
      this.read(digest, () => this.fetch(digest, this.hasher.candidates(key))).catch(() => undefined);
    }
    return known.caller;
  }

  /**
   * Reads a key that is not remembered. One that the filter does not know waits until the filter has read what
   * was issued last, and is then refused without a look-up.
   * @param client who presents it; one client may have an eighth of the unknown keys that wait
   * @throws KeyStoreUnavailable, TooManyUnknownKeysError
   */
  load(key: string, client?: string): Promise<Caller | undefined> {
    const digest = digestOf(key);
    const hashes = this.hasher.candidates(key);
    if (this.filter.has(hashes)) return this.readInTurn(digest, hashes);
    return this.readOnceKnown(key, digest, hashes, client);
  }

  /** Takes note of a change: what is remembered of the key, or read at this moment, does not count any more. */
  readonly invalidate = ({ kind, keyId }: ApiKeyEvent): void => {
    if (kind !== 'changed') return;
    // It may have a secret that the filter does not know. Whoever presents it asks again if this fails.
    this.filter.refresh().catch(() => undefined);
    this.epoch++;
    this.reading.clear();
    this.unknown.clear();
    this.refused.clear();
    for (const [digest, { caller }] of this.accepted) {
      if (caller.keyId === keyId) this.accepted.delete(digest);
    }
  };

  private getRefusal(digest: string, elapsed: number): 'refused' | undefined {
    if (this.version !== this.filter.version) {
      // What was added may be any of the refused keys.
      this.version = this.filter.version;
      this.refused.clear();
    }
    const readAt = this.refused.get(digest);
    if (readAt === undefined) return undefined;
    if (elapsed - readAt < this.bounds.maxRefusedAge) return 'refused';
    this.refused.delete(digest);
    return undefined;
  }

  private async readOnceKnown(
    key: string,
    digest: string,
    hashes: Hashes,
    client?: string,
  ): Promise<Caller | undefined> {
    const { epoch } = this;
    const readAt = this.clock.elapsed();
    await this.known(digest, client);
    // Meanwhile another request may have brought the answer.
    const known = this.get(key);
    if (known !== undefined) return known === 'refused' ? undefined : known;
    if (this.filter.has(hashes)) return this.readInTurn(digest, hashes);
    if (epoch === this.epoch) this.remember(digest, undefined, readAt);
    return undefined;
  }

  /** Waits until the filter has read what was added; once for all requests with the same key. */
  private known(digest: string, client?: string): Promise<void> {
    let waiting = this.unknown.get(digest);
    if (waiting === undefined) {
      const mine = this.filter.wait(client).finally(() => {
        if (this.unknown.get(digest) === mine) this.unknown.delete(digest);
      });
      this.unknown.set(digest, mine);
      waiting = mine;
    }
    return waiting;
  }

  private readInTurn(digest: string, hashes: Hashes): Promise<Caller | undefined> {
    const asked = performance.now();
    return this.read(digest, () =>
      this.semaphore.run(() => {
        if (performance.now() - asked <= PATIENCE) return this.fetch(digest, hashes);
        throw new KeyStoreUnavailable('Keys are looked up too slowly.');
      }),
    );
  }

  private read(digest: string, fetch: () => Promise<Caller | undefined>): Promise<Caller | undefined> {
    const running = this.reading.get(digest);
    if (running !== undefined) return running;
    const reading = fetch().finally(() => {
      if (this.reading.get(digest) === reading) this.reading.delete(digest);
    });
    this.reading.set(digest, reading);
    return reading;
  }

  private async fetch(digest: string, hashes: Hashes): Promise<Caller | undefined> {
    const { epoch } = this;
    const readAt = this.clock.elapsed();
    const found = await this.lookup.find(hashes);
    if (found !== undefined && found.hash !== hashes[0]) {
      // The key works either way; the next reading tries again.
      this.lookup.rehash(found.hash, hashes[0]).catch(() => undefined);
    }
    const usable = found !== undefined && this.clock.now() < usableUntil(found) ? found : undefined;
    if (epoch === this.epoch) this.remember(digest, usable, readAt);
    return usable?.caller;
  }

  private remember(digest: string, found: FoundKey | undefined, readAt: number): void {
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
}

function digestOf(key: string): string {
  return hash('sha256', key, 'base64url');
}

function usableUntil(found: FoundKey): number {
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
