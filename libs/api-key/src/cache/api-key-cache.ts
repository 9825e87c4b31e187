import { hash } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { API_KEY_CLOCK, type Clock, systemClock } from '../clock/clock.js';
import type { ApiKeyEvent } from '../events/api-key-event.js';
import { ApiKeyFilter } from '../filter/api-key-filter.js';
import type { KnownHashes } from '../filter/known-hashes.js';
import type { Caller } from '../key/caller.js';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';
import { type KeyHash, SecretHasher } from '../secrets/secret-hasher.js';
import { API_KEY_CACHE_BOUNDS, type ApiKeyCacheBounds, DEFAULT_CACHE_BOUNDS } from './cache-bounds.js';
import { CachedKeys, usableUntil } from './cached-keys.js';
import { KEY_LOOKUP, type KeyLookup } from './key-lookup.js';
import { Semaphore } from './semaphore.js';

/** After a failed refresh the next attempt waits this long, in milliseconds. */
const RETRY_AFTER_MS = 500;

/** Most keys that requests wait for being looked up at a time. Only keys that the filter knows come so far. */
const LOOKUPS_AT_ONCE = 16;

/** Longest that a look-up waits for its turn, in milliseconds: a store that hangs gets no queue. */
const LOOKUP_QUEUE_TIMEOUT_MS = 2_000;

type Hashes = readonly [KeyHash, ...KeyHash[]];

/**
 * Turns keys into callers: caches both results for a short while, in bounded space, and reads a key
 * once however many requests ask for it at the same time. What the filter does not know is refused without a
 * look-up.
 *
 * Keyed by SHA-256 digests, so that a dump of the memory holds no key.
 */
@Injectable()
export class ApiKeyCache {
  private readonly cached: CachedKeys;
  private readonly reading = new Map<string, Promise<Caller | undefined>>();
  /** Digests of keys that the filter does not know, with what is waited for. */
  private readonly unknown = new Map<string, Promise<void>>();
  /** Counts the events: what was being read when one arrived is not cached. */
  private epoch = 0;
  /** The filter's version that the refusals were read at. */
  private version = 0;
  private readonly semaphore = new Semaphore(LOOKUPS_AT_ONCE);

  constructor(
    @Inject(KEY_LOOKUP) private readonly lookup: KeyLookup,
    @Inject(SecretHasher) private readonly hasher: SecretHasher,
    @Inject(ApiKeyFilter) private readonly filter: KnownHashes,
    @Optional() @Inject(API_KEY_CLOCK) private readonly clock: Clock = systemClock,
    @Optional() @Inject(API_KEY_CACHE_BOUNDS) bounds: ApiKeyCacheBounds = DEFAULT_CACHE_BOUNDS,
  ) {
    this.cached = new CachedKeys(bounds);
  }

  /** What is cached of a key: its caller, that it is refused, or nothing (`undefined`). */
  get(key: string): Caller | 'refused' | undefined {
    const digest = digestOf(key);
    const elapsed = this.clock.elapsed();
    const known = this.cached.find(digest, elapsed);
    if (known === undefined) return this.getRefusal(digest, elapsed);
    if (this.clock.now() >= known.usableUntil) return 'refused';
    if (elapsed >= known.refreshAt) {
      known.refreshAt = elapsed + RETRY_AFTER_MS;
      // The requests use what is cached; when it is too old they load it themselves.
      this.read(digest, () => this.fetch(digest, this.hasher.candidates(key))).catch(() => undefined);
    }
    return known.caller;
  }

  /**
   * Reads a key that is not cached. One that the filter does not know waits until the filter has read what
   * was issued last, and is then refused without a look-up.
   * @param client who presents it; one client may have an eighth of the unknown keys that wait
   * @throws KeyStoreUnavailableError, TooManyUnknownKeysError
   */
  load(key: string, client?: string): Promise<Caller | undefined> {
    const digest = digestOf(key);
    const hashes = this.hasher.candidates(key);
    if (this.filter.has(hashes)) return this.readInTurn(digest, hashes);
    return this.readOnceKnown(key, digest, hashes, client);
  }

  /** Discards what is cached of a changed key, and what is being read at this moment. */
  readonly invalidate = ({ kind, keyId }: ApiKeyEvent): void => {
    if (kind !== 'changed') return;
    // It may have a secret that the filter does not know. Its next use tries again if this fails.
    this.filter.refresh().catch(() => undefined);
    this.epoch++;
    this.reading.clear();
    this.unknown.clear();
    this.cached.clearRefused();
    this.cached.deleteKey(keyId);
  };

  private getRefusal(digest: string, elapsed: number): 'refused' | undefined {
    if (this.version !== this.filter.version) {
      // What was added may be any of the refused keys.
      this.version = this.filter.version;
      this.cached.clearRefused();
    }
    return this.cached.isRefused(digest, elapsed) ? 'refused' : undefined;
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
    // Meanwhile another request may have loaded the key.
    const known = this.get(key);
    if (known !== undefined) return known === 'refused' ? undefined : known;
    if (this.filter.has(hashes)) return this.readInTurn(digest, hashes);
    if (epoch === this.epoch) this.cached.set(digest, undefined, readAt);
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
        if (performance.now() - asked <= LOOKUP_QUEUE_TIMEOUT_MS) return this.fetch(digest, hashes);
        throw new KeyStoreUnavailableError('Keys are looked up too slowly.');
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
    if (epoch === this.epoch) this.cached.set(digest, usable, readAt);
    return usable?.caller;
  }
}

function digestOf(key: string): string {
  return hash('sha256', key, 'base64url');
}
