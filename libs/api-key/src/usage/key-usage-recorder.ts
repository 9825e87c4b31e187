import type { OnApplicationShutdown } from '@nestjs/common';
import type { KeyId } from '../key/key-id.js';
import { DAY_MS, type KeyUsage, type KeyUsageStore, utcDay } from './key-usage.js';

/** How the recorder works. */
export interface RecorderOptions {
  /** Time between two batches, in milliseconds; 2,000 unless said. */
  readonly intervalMs?: number;
  /** Most keys and days held while the store is unavailable; what goes beyond is not counted. 50,000 unless said. */
  readonly capacity?: number;
  /** Called when a batch could not be written; it is tried again with the next one. */
  readonly onFailure?: (error: unknown) => void;
  /** Milliseconds since 1970; the system's clock unless said. */
  readonly now?: () => number;
}

/** What was counted for one key on one day. */
type Tally = { -readonly [Field in keyof KeyUsage]: KeyUsage[Field] };

/** Counts the use of keys in memory and writes it in batches, so that no request waits for it. */
export class KeyUsageRecorder implements OnApplicationShutdown {
  /** By key and day. */
  private tallies = new Map<string, Tally>();
  private writing: Promise<void> = Promise.resolve();
  private readonly options: Required<Omit<RecorderOptions, 'intervalMs'>>;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly store: KeyUsageStore,
    {
      intervalMs = 2_000,
      capacity = 50_000,
      onFailure = () => undefined,
      now = () => Date.now(),
    }: RecorderOptions = {},
  ) {
    this.options = { capacity, onFailure, now };
    this.timer = setInterval(() => void this.flush().catch(onFailure), intervalMs);
    this.timer.unref();
  }

  /** A request came with an accepted key, whatever became of it afterwards. Costs next to nothing and never fails. */
  used(keyId: KeyId): void {
    const tally = this.tallyOf(keyId);
    tally.requests++;
    tally.lastUsedAt = new Date(this.options.now());
  }

  /** The limiter refused such a request (429). */
  refused(keyId: KeyId): void {
    this.tallyOf(keyId).refused++;
  }

  /** The key is banned until this moment. */
  banned(keyId: KeyId, until: Date): void {
    this.tallyOf(keyId).bannedUntil = until;
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
    await this.flush().catch(this.options.onFailure);
  }

  /** Of today. One that is over the capacity is counted and forgotten. */
  private tallyOf(keyId: KeyId): Tally {
    const now = this.options.now();
    const slot = `${keyId} ${Math.floor(now / DAY_MS)}`;
    const known = this.tallies.get(slot);
    if (known !== undefined) return known;
    const day = utcDay(new Date(now));
    const tally = { keyId, day, requests: 0, refused: 0, lastUsedAt: undefined, bannedUntil: undefined };
    if (this.tallies.size < this.options.capacity) this.tallies.set(slot, tally);
    return tally;
  }

  private async write(): Promise<void> {
    if (this.tallies.size === 0) return;
    // In one order everywhere, so that two processes never wait for each other's rows.
    const batch = [...this.tallies].sort(([a], [b]) => (a < b ? -1 : 1));
    this.tallies = new Map();
    try {
      await this.store.add(batch.map(([, tally]) => tally));
    } catch (error) {
      for (const [slot, tally] of batch) this.putBack(slot, tally);
      throw error;
    }
  }

  /** Adds what could not be written to what was counted meanwhile. What is over the capacity is forgotten. */
  private putBack(slot: string, earlier: Tally): void {
    const later = this.tallies.get(slot);
    if (later === undefined) {
      if (this.tallies.size < this.options.capacity) this.tallies.set(slot, earlier);
      return;
    }
    later.requests += earlier.requests;
    later.refused += earlier.refused;
    later.lastUsedAt ??= earlier.lastUsedAt;
    later.bannedUntil ??= earlier.bannedUntil;
  }
}
