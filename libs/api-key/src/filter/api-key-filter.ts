import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { ApiKeyHashSet, HASH_PREFIX_LENGTH } from './api-key-hash-set.js';
import type { ApiKeyHashSource, HashPrefixes } from './api-key-hash.source.js';
import { type Clock, systemClock } from '../clock/clock.js';
import { KeyStoreUnavailable } from '../key/key-store-unavailable.error.js';
import { PacedQueue } from './paced-queue.js';
import type { KeyHash } from '../secrets/secret-hasher.js';

/** How often the store is read. All times in milliseconds. */
export interface ApiKeyFilterSettings {
  /** Least time between the beginnings of two refreshes: 4 a second, however many unknown keys are presented. */
  readonly refreshGap: number;
  /** A refresh that nothing asks for comes after this time. */
  readonly refreshEvery: number;
  /** Everything is read anew after this time, and up to a fifth later: instances that started together do not read together. */
  readonly rebuildEvery: number;
  /** After a failed refresh everything is read anew, at most so often. */
  readonly rebuildAfterFailure: number;
  /** Hashes read at a time; 5,000 take the event loop about 2 ms. */
  readonly pageSize: number;
  /** Most requests that wait for a refresh at a time. */
  readonly mostWaiting: number;
}

export const DEFAULT_FILTER_SETTINGS: ApiKeyFilterSettings = {
  refreshGap: 250,
  refreshEvery: 5_000,
  rebuildEvery: 10 * 60_000,
  rebuildAfterFailure: 60_000,
  pageSize: 5_000,
  mostWaiting: 1_000,
};

export interface ApiKeyFilterOptions {
  readonly settings?: Partial<ApiKeyFilterSettings>;
  readonly clock?: Clock;
  /** Told of the first refresh or rebuild that fails after one that did not; both are tried again by themselves. */
  readonly onFailure?: (error: unknown) => void;
  /** Told of the first one that succeeds after that. */
  readonly onRecovery?: () => void;
}

/** For metrics. */
export interface ApiKeyFilterStats {
  /** Hashes known. */
  readonly hashes: number;
  /** Bytes that they take. */
  readonly bytes: number;
  /** Milliseconds since the beginning of the last refresh that succeeded; since the filter was made, before the first. */
  readonly ageMs: number;
  /** Refreshes and rebuilds so far. */
  readonly refreshes: number;
  readonly rebuilds: number;
  /** Requests that wait for a refresh. */
  readonly waiting: number;
}

/**
 * What the guard asks before a key is looked up: could this be a key at all?
 */
export interface KnownHashes {
  /** Changes whenever a hash was added. */
  readonly version: number;
  /** Whether one of the hashes is known. */
  has(hashes: readonly KeyHash[]): boolean;
  /**
   * Waits for a refresh that began after this call; what it did not find was no key at the time of the call.
   * @param client an eighth of those that wait may be of one client
   * @throws KeyStoreUnavailable when the store cannot be read, or too many wait; TooManyUnknownKeysError when too
   *   many of this client do
   */
  wait(client?: string): Promise<void>;
  /** Reads what was added, soon and once for all who ask meanwhile. */
  refresh(): Promise<void>;
}

/**
 * The hashes of all secrets, in each process, so that a made-up key is told from a key without a question to
 * the store. What it does not know becomes known by a refresh, one small query for all who wait for it. A hash
 * stays in it until the next rebuild, so that it may know revoked keys: whether a key is accepted is for the
 * look-up to say.
 */
export class ApiKeyFilter implements KnownHashes {
  version = 0;
  private readonly settings: ApiKeyFilterSettings;
  private readonly clock: Clock;
  private readonly queue: PacedQueue;
  private hashes = new ApiKeyHashSet();
  /** What a rebuild is filling. */
  private building: ApiKeyHashSet | undefined;
  /** Up to where the store was read; `undefined` until everything was read once. */
  private mark: string | undefined;
  private running: Promise<void> = Promise.resolve();
  /** The refresh that has not begun yet. */
  private next: Promise<void> | undefined;
  /** The last rebuild, which may have ended. */
  private rebuilding: Promise<void> = Promise.resolve();
  private refreshAt = -Infinity;
  private rebuiltAt = -Infinity;
  private rebuildAt = Infinity;
  private readAt: number;
  private refreshes = 0;
  private rebuilds = 0;
  private failing = false;
  private readonly closing = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly source: ApiKeyHashSource,
    private readonly options: ApiKeyFilterOptions = {},
  ) {
    this.settings = { ...DEFAULT_FILTER_SETTINGS, ...options.settings };
    this.clock = options.clock ?? systemClock;
    this.readAt = this.clock.elapsed();
    this.queue = new PacedQueue(this.settings.mostWaiting);
  }

  get stats(): ApiKeyFilterStats {
    return {
      hashes: this.hashes.size,
      bytes: this.hashes.bytes,
      ageMs: this.clock.elapsed() - this.readAt,
      refreshes: this.refreshes,
      rebuilds: this.rebuilds,
      waiting: this.queue.length,
    };
  }

  /**
   * Reads all hashes, and goes on reading regularly until {@link ApiKeyFilter.close}. A store that is away is
   * no failure: everything is read when it is back.
   */
  async start(): Promise<void> {
    this.timer = setInterval(() => {
      this.tick();
    }, this.settings.refreshEvery);
    this.timer.unref();
    try {
      await this.refresh();
    } catch (error) {
      if (!(error instanceof KeyStoreUnavailable)) throw error;
    }
  }

  /** Ends all reading; whoever waits is refused. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.closing.abort();
    await Promise.allSettled([this.next, this.running, this.rebuilding]);
  }

  has(hashes: readonly KeyHash[]): boolean {
    for (const hash of hashes) if (this.hashes.has(hash)) return true;
    return false;
  }

  async wait(client?: string): Promise<void> {
    await this.queue.wait(this.refresh.bind(this), client);
  }

  refresh(): Promise<void> {
    this.next ??= this.refreshInTurn();
    return this.next;
  }

  /** After the refresh that is running, which may have passed over what was added just now, and not too soon. */
  private async refreshInTurn(): Promise<void> {
    try {
      // When that one fails so do those who wait for this one: they would only wait for the same once more.
      await this.running;
      await this.pause(this.refreshAt + this.settings.refreshGap - this.clock.elapsed());
    } finally {
      this.next = undefined;
    }
    this.refreshAt = this.clock.elapsed();
    const running = this.noting(() => this.readAdded());
    this.running = running;
    try {
      await running;
    } finally {
      this.running = Promise.resolve();
    }
  }

  private async readAdded(): Promise<void> {
    if (this.mark === undefined) {
      await this.rebuild();
      return;
    }
    const began = this.clock.elapsed();
    const { prefixes, mark, complete } = await this.source.since(this.mark);
    if (!complete) {
      this.mark = undefined;
      await this.rebuild();
      return;
    }
    if (this.building !== undefined) await this.add(this.building, prefixes);
    if (await this.add(this.hashes, prefixes)) this.version++;
    this.mark = mark;
    this.readAt = began;
    this.refreshes++;
  }

  /** One after the other: what a rebuild that runs already has read may be what this one is to put right. */
  private rebuild(): Promise<void> {
    this.rebuilding = this.rebuilding.catch(ignore).then(() => this.readAll());
    return this.rebuilding;
  }

  private async readAll(): Promise<void> {
    const building = new ApiKeyHashSet();
    this.building = building;
    try {
      const began = await this.fill(building);
      this.hashes = building;
      this.version++;
      this.rebuilds++;
      this.readAt = Math.max(this.readAt, began);
      this.rebuiltAt = this.clock.elapsed();
      this.rebuildAt = this.rebuiltAt + this.settings.rebuildEvery * (1 + Math.random() / 5);
    } finally {
      this.building = undefined;
    }
  }

  /** Page by page, then what was added meanwhile; gives the time up to which that is everything. */
  private async fill(building: ApiKeyHashSet): Promise<number> {
    const { mark } = await this.source.since(undefined);
    let after: string | undefined;
    do {
      this.refuseIfClosing();
      const page = await this.source.page(after, this.settings.pageSize);
      await this.add(building, page.prefixes);
      after = page.next;
    } while (after !== undefined);
    const began = this.clock.elapsed();
    const delta = await this.source.since(mark);
    if (!delta.complete) throw new KeyStoreUnavailable('Too many keys were added while all were read.');
    await this.add(building, delta.prefixes);
    this.mark = delta.mark;
    return began;
  }

  /** Gives the event loop a turn between pages; whether anything was new. */
  private async add(hashes: ApiKeyHashSet, prefixes: HashPrefixes): Promise<boolean> {
    const before = hashes.size;
    const slice = this.settings.pageSize * HASH_PREFIX_LENGTH;
    for (let begin = 0; begin < prefixes.length; begin += slice) {
      if (begin > 0) await turn();
      const end = Math.min(begin + slice, prefixes.length);
      for (let at = begin; at < end; at += HASH_PREFIX_LENGTH) hashes.add(prefixes, at);
    }
    return hashes.size > before;
  }

  private tick(): void {
    const now = this.clock.elapsed();
    if (now >= this.rebuildAt && this.building === undefined) {
      this.noting(() => this.rebuild()).catch(ignore);
    } else if (now - this.readAt >= this.settings.refreshEvery / 2) this.refresh().catch(ignore);
  }

  /** Tells of the first failure and of the first success after it. */
  private async noting(reading: () => Promise<void>): Promise<void> {
    try {
      this.refuseIfClosing();
      await reading();
    } catch (error) {
      // Until it is back, the store may have become another one: a standby that lacks the last transactions.
      const soon = this.rebuiltAt + this.settings.rebuildAfterFailure;
      this.rebuildAt = Math.min(this.rebuildAt, Math.max(soon, this.clock.elapsed()));
      if (!this.failing && !this.closing.signal.aborted) this.options.onFailure?.(error);
      this.failing = true;
      throw error;
    }
    if (this.failing) this.options.onRecovery?.();
    this.failing = false;
  }

  private async pause(milliseconds: number): Promise<void> {
    this.refuseIfClosing();
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: this.closing.signal }).catch(ignore);
    this.refuseIfClosing();
  }

  private refuseIfClosing(): void {
    if (this.closing.signal.aborted) throw new KeyStoreUnavailable('The process is stopping.');
  }
}

const ignore = (): void => undefined;
