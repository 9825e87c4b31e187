import { type Clock, systemClock } from '../clock/clock.js';
import type { KeyId } from '../key/key-id.js';
import type { KeyUsageLog } from './key-usage-log.js';

/** What happened with one key on one day since the last batch. */
export interface KeyUsage {
  readonly keyId: KeyId;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly requests: number;
  readonly refused: number;
  /** `undefined` when only a ban was reported. */
  readonly lastUsedAt: Date | undefined;
  /** `undefined` when nothing was reported of a ban, `null` when one was lifted. */
  readonly bannedUntil: Date | null | undefined;
}

/** Keeps batches of use. */
export interface KeyUsageStore {
  /** Adds to what is kept, all of it or nothing. Rejects when that failed; the batch comes again. */
  add(batch: readonly KeyUsage[]): Promise<void>;
}

/** How the recorder works. */
export interface RecorderOptions {
  /** Milliseconds between two batches. */
  readonly interval?: number;
  /** Most keys and days remembered while the store is away; what goes beyond is not counted. */
  readonly capacity?: number;
  /** Told when a batch could not be written; it is tried again with the next one. */
  readonly onFailure?: (error: unknown) => void;
  readonly clock?: Clock;
}

interface Tally {
  keyId: KeyId;
  day: number;
  requests: number;
  refused: number;
  lastUsedAt: number | undefined;
  bannedUntil: Date | null | undefined;
}

const DAY = 24 * 60 * 60 * 1000;

/** Counts in memory and writes in batches, so that no request waits for it. */
export class KeyUsageRecorder implements KeyUsageLog {
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
      interval = 5_000,
      capacity = 50_000,
      onFailure = () => undefined,
      clock = systemClock,
    }: RecorderOptions = {},
  ) {
    this.capacity = capacity;
    this.clock = clock;
    this.onFailure = onFailure;
    this.timer = setInterval(() => void this.flush().catch(this.onFailure), interval);
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

  /** Writes the rest and stops. Never rejects: what cannot be written now is lost, which is told like any failure. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush().catch(this.onFailure);
  }

  private tallyOf(keyId: KeyId, now: number): Tally | undefined {
    const day = Math.floor(now / DAY);
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
    const batch = merge([...this.backlog, ...this.tallies.values()]);
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

/** One tally for each key and day, in one order everywhere: two processes never wait for each other's rows. */
function merge(tallies: readonly Tally[]): Tally[] {
  const merged = new Map<string, Tally>();
  for (const tally of tallies) {
    const place = `${tally.keyId} ${tally.day}`;
    const sum = merged.get(place);
    if (sum === undefined) {
      merged.set(place, { ...tally });
    } else {
      sum.requests += tally.requests;
      sum.refused += tally.refused;
      sum.lastUsedAt = tally.lastUsedAt ?? sum.lastUsedAt;
      if (tally.bannedUntil !== undefined) sum.bannedUntil = tally.bannedUntil;
    }
  }
  return [...merged.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tally]) => tally);
}

function toUsage(tally: Tally): KeyUsage {
  return {
    keyId: tally.keyId,
    day: new Date(tally.day * DAY).toISOString().slice(0, 10),
    requests: tally.requests,
    refused: tally.refused,
    lastUsedAt: tally.lastUsedAt === undefined ? undefined : new Date(tally.lastUsedAt),
    bannedUntil: tally.bannedUntil,
  };
}
