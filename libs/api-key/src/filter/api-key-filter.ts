import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit, Optional } from '@nestjs/common';
import { type Clock, systemClock } from '../clock/clock.js';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';
import type { KeyHash } from '../secrets/secret-hasher.js';
import {
  API_KEY_FILTER_OPTIONS,
  type ApiKeyFilterOptions,
  type ApiKeyFilterSettings,
  type ApiKeyFilterStats,
  DEFAULT_FILTER_SETTINGS,
} from './api-key-filter.options.js';
import { ApiKeyHashSet } from './api-key-hash-set.js';
import { API_KEY_HASH_SOURCE, type ApiKeyHashSource } from './api-key-hash.source.js';
import type { KnownHashes } from './known-hashes.js';
import { PacedQueue } from './paced-queue.js';
import { addHashes, readAllHashes } from './read-hashes.js';
import { ReadingWatch } from './reading-watch.js';
import { RebuildSchedule } from './rebuild-schedule.js';
import { RefreshPace } from './refresh-pace.js';
import { StopSignal } from './stop-signal.js';

/**
 * The hashes of all secrets, in each process, so that a made-up key is recognised without a query to
 * the store. What it does not know becomes known by a refresh, one small query for all who wait for it. A hash
 * stays in it until the next rebuild, so that it may know revoked keys: whether a key is accepted is for the
 * look-up to say.
 */
@Injectable()
export class ApiKeyFilter implements KnownHashes, OnModuleInit, OnApplicationShutdown {
  version = 0;
  private readonly settings: ApiKeyFilterSettings;
  private readonly clock: Clock;
  private readonly queue: PacedQueue;
  private readonly schedule: RebuildSchedule;
  private readonly pace: RefreshPace;
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
  private readAt: number;
  private refreshes = 0;
  private rebuilds = 0;
  private readonly stopping = new StopSignal();
  private readonly watch: ReadingWatch;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(API_KEY_HASH_SOURCE) private readonly source: ApiKeyHashSource,
    @Optional() @Inject(API_KEY_FILTER_OPTIONS) options: ApiKeyFilterOptions = {},
  ) {
    this.settings = { ...DEFAULT_FILTER_SETTINGS, ...options.settings };
    this.clock = options.clock ?? systemClock;
    this.readAt = this.clock.elapsed();
    this.schedule = new RebuildSchedule(this.settings);
    this.pace = new RefreshPace(this.settings.refreshGap, this.settings.refreshBurst);
    this.watch = new ReadingWatch(this.schedule, this.stopping, this.clock, options);
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
   * Reads all hashes, and goes on reading regularly until {@link ApiKeyFilter.close}. A store that is unavailable is
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
      if (!(error instanceof KeyStoreUnavailableError)) throw error;
    }
  }

  /** Nest listens only when all of these have resolved: the first request finds the filter loaded. */
  onModuleInit(): Promise<void> {
    return this.start();
  }

  /** After the last request: one that waits for a refresh is not refused for the end. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Ends all reading; waiting calls are refused. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.stop();
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
      await this.stopping.pause(this.pace.pause(this.clock.elapsed()));
    } finally {
      this.next = undefined;
    }
    this.pace.begin(this.clock.elapsed());
    const running = this.watch.run(() => this.readAdded());
    this.running = running;
    try {
      await running;
    } catch (error) {
      this.pace.fail();
      throw error;
    } finally {
      this.running = Promise.resolve();
    }
  }

  private async readAdded(): Promise<void> {
    if (this.mark === undefined) {
      await this.rebuild();
      return;
    }
    const { pageSize } = this.settings;
    const began = this.clock.elapsed();
    const { prefixes, mark, complete } = await this.source.since(this.mark);
    if (!complete) {
      this.mark = undefined;
      await this.rebuild();
      return;
    }
    if (this.building !== undefined) await addHashes(this.building, prefixes, pageSize);
    if (await addHashes(this.hashes, prefixes, pageSize)) this.version++;
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
      const { mark, began } = await readAllHashes(this.source, building, {
        pageSize: this.settings.pageSize,
        clock: this.clock,
        refuseIfStopped: this.stopping.refuseIfStopped,
      });
      this.mark = mark;
      this.hashes = building;
      this.version++;
      this.rebuilds++;
      this.readAt = Math.max(this.readAt, began);
      this.schedule.rebuilt(this.clock.elapsed());
    } finally {
      this.building = undefined;
    }
  }

  private tick(): void {
    const now = this.clock.elapsed();
    if (this.schedule.isDue(now) && this.building === undefined) {
      this.watch.run(() => this.rebuild()).catch(ignore);
    } else if (now - this.readAt >= this.settings.refreshEvery / 2) this.refresh().catch(ignore);
  }
}

const ignore = (): void => undefined;
