import type { OnApplicationShutdown } from '@nestjs/common';
import { type Clock, systemClock } from '../cache/api-key-cache.js';
import type { KeyId } from '../key/key-id.js';
import type { KeyUsageLog } from './key-usage-log.js';
import type { KeyUsageStore } from './key-usage.store.js';
import { mergeTallies, type Tally, toUsage } from './usage-tally.js';
import { DAY_MS } from './utc-day.js';

/** How the recorder works. */
export interface RecorderOptions {
  /** Time between two batches, in milliseconds; 2,000 unless said. */
  readonly intervalMs?: number;
  /** Most keys and days held while the store is unavailable; what goes beyond is not counted. 50,000 unless said. */
  readonly capacity?: number;
  /** Called when a batch could not be written; it is tried again with the next one. */
  readonly onFailure?: (error: unknown) => void;
  readonly clock?: Clock;
}

/** Counts in memory and writes in batches, so that no request waits for it. */
export class KeyUsageRecorder implements KeyUsageLog, OnApplicationShutdown {
  private tallies = new Map<KeyId, Tally>();
  /** What belongs to an earlier day, or to a batch that could not be written. */
  private backlog: Tally[] = [];
  private writing: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;
  private readonly capacity: number;
  private readonly clock: Clock;
  private readonly onFailure: (error: unknown) => void;

  constructor(
    private readonly store: KeyUsageStore,
    {
      intervalMs = 2_000,
      capacity = 50_000,
      onFailure = () => undefined,
      clock = systemClock,
    }: RecorderOptions = {},
  ) {
    this.capacity = capacity;
    this.clock = clock;
    this.onFailure = onFailure;
    this.timer = setInterval(() => void this.flush().catch(this.onFailure), intervalMs);
    this.timer.unref();
  }

  used(keyId: KeyId): void {
    const now = this.clock.now();
    const tally = this.tallyOf(keyId, now);
    if (tally === undefined) return;
    tally.requests++;
    tally.lastUsedAt = now;
  }

  refused(keyId: KeyId): void {
    const tally = this.tallyOf(keyId, this.clock.now());
    if (tally !== undefined) tally.refused++;
  }

  banned(keyId: KeyId, until: Date | undefined): void {
    const tally = this.tallyOf(keyId, this.clock.now());
    if (tally !== undefined) tally.bannedUntil = until ?? null;
  }

  /** Writes what was counted. Rejects when the store does; nothing is lost by that. */
  flush(): Promise<void> {
    this.writing = this.writing.catch(() => undefined).then(() => this.write());
    return this.writing;
  }

  /** After the last request, so that it is counted, too. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Writes the rest and stops. Never rejects: what cannot be written now is lost, and reported like any failure. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush().catch(this.onFailure);
  }

  private tallyOf(keyId: KeyId, now: number): Tally | undefined {
    const day = Math.floor(now / DAY_MS);
    const known = this.tallies.get(keyId);
    if (known?.day === day) return known;
    if (this.tallies.size + this.backlog.length >= this.capacity) return undefined;
    if (known !== undefined) this.backlog.push(known);
    const tally: Tally = {
      keyId,
      day,
      requests: 0,
      refused: 0,
      lastUsedAt: undefined,
      bannedUntil: undefined,
    };
    this.tallies.set(keyId, tally);
    return tally;
  }

  private async write(): Promise<void> {
    const batch = mergeTallies([...this.backlog, ...this.tallies.values()]);
    if (batch.length === 0) return;
    this.tallies = new Map();
    this.backlog = [];
    try {
      await this.store.add(batch.map(toUsage));
    } catch (error) {
      this.backlog = batch.concat(this.backlog);
      throw error;
    }
  }
}
