import type { OnApplicationShutdown } from '@nestjs/common';
import type { KeyId } from '../key/key-id.js';

/** A day, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The day in UTC: `YYYY-MM-DD`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** How often a key was used on one day (UTC). */
export interface KeyDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Requests that came with the key, refused ones included. */
  readonly requests: number;
  /** Of these, how many the limiter refused (429). */
  readonly refused: number;
}

/** What happened with one key on one day since the last batch. */
export interface KeyUsage extends KeyDay {
  readonly keyId: KeyId;
  /** `undefined` when only a ban was reported. */
  readonly lastUsedAt: Date | undefined;
  /** The end of the latest ban; `undefined` when none was reported. */
  readonly bannedUntil: Date | undefined;
}

/** Keeps batches of use. */
export abstract class KeyUsageStore {
  /**
   * Adds a batch, all of it or nothing. Rejects when that failed or its outcome is unknown; the batch is sent again,
   * and counted twice if only the response was lost.
   */
  abstract add(batch: readonly KeyUsage[]): Promise<void>;
}

/** How the recorder works. */
export interface RecorderOptions {
  /** Time between two batches, in milliseconds; 2,000 unless given. */
  readonly intervalMs?: number;
  /** Most keys and days held while the store is unavailable; what goes beyond is not counted. 50,000 unless given. */
  readonly capacity?: number;
  /** Called for the first of several batches in a row that could not be written; each is tried again with the next one. */
  readonly onFailure?: (error: unknown) => void;
  /** Called when a batch could be written after others could not. */
  readonly onRecovery?: () => void;
  /** Milliseconds since 1970; the system's clock unless given. */
  readonly now?: () => number;
}

/** What was counted for one key on one day. */
interface Tally {
  requests: number;
  refused: number;
  /** Milliseconds since 1970. */
  lastUsedAt: number | undefined;
  bannedUntil: Date | undefined;
}

/** By day, in days since 1970, then by key: a request makes no text to find its tally by. */
type Tallies = Map<number, Map<KeyId, Tally>>;

/** Counts the use of keys in memory and writes it in batches, so that no request waits for it. */
export class KeyUsageRecorder implements OnApplicationShutdown {
  private tallies: Tallies = new Map();
  /** How many keys and days are held. */
  private size = 0;
  private isFailing = false;
  private writing: Promise<void> = Promise.resolve();
  private readonly options: Required<Omit<RecorderOptions, 'intervalMs'>>;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly store: KeyUsageStore,
    {
      intervalMs = 2_000,
      capacity = 50_000,
      onFailure = () => undefined,
      onRecovery = () => undefined,
      now = () => Date.now(),
    }: RecorderOptions = {},
  ) {
    this.options = { capacity, onFailure, onRecovery, now };
    this.timer = setInterval(() => void this.flush().catch(() => undefined), intervalMs);
    this.timer.unref();
  }

  /** A request came with an accepted key, whatever became of it afterwards. Costs next to nothing and never fails. */
  used(keyId: KeyId): void {
    const now = this.options.now();
    const tally = this.tallyOf(keyId, now);
    tally.requests++;
    tally.lastUsedAt = now;
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

  /** Writes the rest and stops. Never rejects: what cannot be written now is lost, and reported like any failure. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush().catch(() => undefined);
  }

  private tallyOf(keyId: KeyId, now = this.options.now()): Tally {
    const day = Math.floor(now / DAY_MS);
    return (
      this.tallies.get(day)?.get(keyId) ??
      this.add(day, keyId, { requests: 0, refused: 0, lastUsedAt: undefined, bannedUntil: undefined })
    );
  }

  /** Beyond the capacity the tally is not kept. */
  private add(day: number, keyId: KeyId, tally: Tally): Tally {
    if (this.size >= this.options.capacity) return tally;
    const ofDay = this.tallies.get(day);
    if (ofDay === undefined) this.tallies.set(day, new Map([[keyId, tally]]));
    else ofDay.set(keyId, tally);
    this.size++;
    return tally;
  }

  private async write(): Promise<void> {
    if (this.size === 0) return;
    const { tallies } = this;
    this.tallies = new Map();
    this.size = 0;
    try {
      await this.store.add(toBatch(tallies));
      if (this.isFailing) this.options.onRecovery();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.options.onFailure(error);
      this.isFailing = true;
      for (const [day, ofDay] of tallies) for (const [keyId, tally] of ofDay) this.putBack(day, keyId, tally);
      throw error;
    }
  }

  /** Merges a tally that could not be written into what was counted meanwhile. */
  private putBack(day: number, keyId: KeyId, earlier: Tally): void {
    const later = this.tallies.get(day)?.get(keyId);
    if (later === undefined) {
      this.add(day, keyId, earlier);
      return;
    }
    later.requests += earlier.requests;
    later.refused += earlier.refused;
    later.lastUsedAt ??= earlier.lastUsedAt;
    later.bannedUntil ??= earlier.bannedUntil;
  }
}

/** In one order everywhere, so that two processes never wait for each other's rows. */
function toBatch(tallies: Tallies): KeyUsage[] {
  const batch = [...tallies].flatMap(([day, ofDay]) =>
    [...ofDay].map(([keyId, { lastUsedAt, ...tally }]) => ({
      keyId,
      day: utcDay(new Date(day * DAY_MS)),
      ...tally,
      lastUsedAt: lastUsedAt === undefined ? undefined : new Date(lastUsedAt),
    })),
  );
  return batch.sort((a, b) => (`${a.keyId} ${a.day}` < `${b.keyId} ${b.day}` ? -1 : 1));
}
