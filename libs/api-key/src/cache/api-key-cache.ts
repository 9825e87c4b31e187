import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { ReceivedApiKeyEvent } from '../events/api-key-event-bus.js';
import { type Caller, callerOf, readBearerToken } from '../guard/caller.js';
import type { KeyId } from '../key/key-id.js';
import type { KeyPlan } from '../key/key-plan.js';
import { UnknownPlanError } from '../key/key.errors.js';
import type { PlanRegistry } from '../plans/plan-registry.js';
import { type KeyHash, type KeyKind, kindOfKey, MAX_KEY_LENGTH } from '../secrets/key-signer.js';

/** A usable key, found by the hash of its secret. */
export interface FoundKey extends Pick<Caller, 'keyId' | 'name' | 'scopes' | 'origins'> {
  readonly plan: KeyPlan;
  /** When the key expires or this secret's overlap ends, whichever comes first; `undefined` for never. */
  readonly usableUntil: Date | undefined;
}

/** Port: reads keys for the guard. */
export abstract class KeyLookup {
  /**
   * The key that has this hash, in one indexed query. `undefined` alike for a key that does not exist, is revoked or has
   * expired: neither the time nor the response tells them apart.
   *
   * @throws KeyStoreUnavailableError
   */
  abstract find(hash: KeyHash): Promise<FoundKey | undefined>;
}

const MAX_KEYS = 20_000;

/** Lifetime of a cached look-up from its start, in milliseconds: a process that missed an event refuses a revoked key then. */
const TTL_MS = 8_000;

/** How the cache works. */
export interface ApiKeyCacheOptions {
  /** Milliseconds since 1970, for what expires at a date; may jump. The system's clock unless given. */
  readonly now?: () => number;
  /** Milliseconds since any fixed moment, never backwards, for ages. The system's clock unless given. */
  readonly elapsed?: () => number;
  /** Most keys held, refused ones included; 20,000 unless given. */
  readonly max?: number;
  /** A key is on a plan that is not defined here: once for each plan, for a log line. */
  readonly onUnknownPlan?: ((keyId: KeyId, plan: string) => void) | undefined;
}

/** A cached look-up; without a caller when there is no such key, or its plan is not known. */
interface CachedKey {
  readonly caller: Caller | undefined;
  /** The plan, when it is not known. */
  readonly unknownPlan?: string;
  /** Calendar time. */
  readonly usableUntil: number;
}

const REFUSED: CachedKey = { caller: undefined, usableUntil: Infinity };

/**
 * Caches look-ups for some seconds: callers, and keys that are refused. Concurrent requests with one key share a
 * look-up.
 *
 * Entries are keyed by SHA-256 digests, so that a dump of the memory holds no key.
 */
export class ApiKeyCache {
  private readonly cached: LRUCache<string, CachedKey>;
  private readonly loading = new Map<string, Promise<Caller | undefined>>();
  /** Incremented by each event: a look-up during which one arrived is not cached. */
  private generation = 0;

  private readonly now: () => number;
  private readonly elapsed: () => number;
  private readonly onUnknownPlan: ApiKeyCacheOptions['onUnknownPlan'];
  private readonly unknownPlans = new Set<string>();

  constructor(
    private readonly lookup: KeyLookup,
    private readonly plans: PlanRegistry,
    {
      now = () => Date.now(),
      elapsed = () => performance.now(),
      max = MAX_KEYS,
      onUnknownPlan,
    }: ApiKeyCacheOptions = {},
  ) {
    this.now = now;
    this.elapsed = elapsed;
    this.onUnknownPlan = onUnknownPlan;
    this.cached = new LRUCache({ max, ttl: TTL_MS, ttlResolution: 0, perf: { now: elapsed } });
  }

  /**
   * The cached caller of a key, `refused`, or `undefined` if the key is not cached. A text that is longer than a key is
   * refused without a digest, whose cost grows with the length.
   */
  get(key: string): Caller | 'refused' | undefined {
    if (key.length > MAX_KEY_LENGTH) return 'refused';
    const cached = this.cached.get(digestOf(key));
    if (cached === undefined || cached.unknownPlan !== undefined) return undefined;
    return this.usableCaller(cached) ?? 'refused';
  }

  /** The caller of a request as far as this process knows it without a look-up: for what is refused before the guard. */
  callerOf(request: IncomingMessage): Caller | undefined {
    const accepted = callerOf(request);
    if (accepted !== undefined) return accepted;
    const key = readBearerToken(request);
    const cached = key === undefined ? undefined : this.get(key);
    return cached === 'refused' ? undefined : cached;
  }

  /**
   * Looks up a key that is not cached.
   *
   * @param keyHash of the key, as `KeySigner.verify` returns it
   * @throws KeyStoreUnavailableError, {@link UnknownPlanError}
   */
  load(key: string, keyHash: KeyHash): Promise<Caller | undefined> {
    const digest = digestOf(key);
    const cached = this.cached.get(digest);
    if (cached?.unknownPlan !== undefined) return Promise.resolve(cached).then(this.usableCaller);
    let loading = this.loading.get(digest);
    if (loading === undefined)
      this.loading.set(digest, (loading = this.read(digest, keyHash, kindOfKey(key))));
    return loading;
  }

  /** Discards what is cached of a changed key, or of all keys when events were missed, and the look-ups under way. */
  readonly invalidate = (event: ReceivedApiKeyEvent): void => {
    if (event.kind === 'unbanned') return;
    this.generation++;
    this.loading.clear();
    if (event.kind === 'missed') {
      this.cached.clear();
      return;
    }
    const { keyId } = event;
    for (const [digest, { caller }] of this.cached.entries()) {
      // A refused key has no id: it may be the changed one.
      if (caller === undefined || caller.keyId === keyId) this.cached.delete(digest);
    }
  };

  private async read(digest: string, keyHash: KeyHash, kind: KeyKind): Promise<Caller | undefined> {
    const { generation } = this;
    // The age counts from here: what changes during the look-up may be missing in its result.
    const start = this.elapsed();
    try {
      const key = this.toCachedKey(await this.lookup.find(keyHash), kind);
      if (generation === this.generation) this.cached.set(digest, key, { start });
      return this.usableCaller(key);
    } finally {
      if (generation === this.generation) this.loading.delete(digest);
    }
  }

  /** Decided at each request: the clock may be set forward for a look-up, and back again. */
  private readonly usableCaller = ({ caller, unknownPlan, usableUntil }: CachedKey): Caller | undefined => {
    if (this.now() >= usableUntil) return undefined;
    if (unknownPlan !== undefined) throw new UnknownPlanError(unknownPlan);
    return caller;
  };

  /** The prefix of a key decides its kind: a key that is stored as one of the other kind is refused. */
  private toCachedKey(found: FoundKey | undefined, kind: KeyKind): CachedKey {
    if (found === undefined || (kind === 'publishable') !== (found.origins !== undefined)) return REFUSED;
    const { keyId, name, plan, scopes, origins } = found;
    const usableUntil = found.usableUntil?.getTime() ?? Infinity;
    const limits = this.plans.limitsOf(plan);
    if (limits !== undefined)
      return { caller: { keyId, name, plan: plan.name, limits, scopes, origins }, usableUntil };
    if (!this.unknownPlans.has(plan.name)) {
      this.unknownPlans.add(plan.name);
      this.onUnknownPlan?.(keyId, plan.name);
    }
    return { caller: undefined, unknownPlan: plan.name, usableUntil };
  }
}

function digestOf(key: string): string {
  return hash('sha256', key, 'base64url');
}
