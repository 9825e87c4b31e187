import type { EventNotifier } from './event-notifier.js';

/** What one call of {@link SequencingStore.sequence} has done. */
export interface SequencingOutcome {
  /** Events that were given a position. */
  readonly sequenced: number;
  /** Whether more of them may wait. */
  readonly hasMore: boolean;
  /** Whether another sequencer was at work: then nothing was done. */
  readonly isBusy: boolean;
}

/** What waits in the outbox. */
export interface Backlog {
  /** Events without a position; counted up to a bound. */
  readonly rows: number;
  /** Age of the oldest one in seconds; 0 when there is none. */
  readonly oldestSeconds: number;
}

/** Port: the outbox and the feed, for the sequencer. */
export interface SequencingStore {
  /**
   * Moves at most `most` events from the outbox to the feed, oldest first, gives them the next positions, and updates
   * what depends on events: all of it or nothing. One caller at a time in all processes.
   */
  sequence(most: number): Promise<SequencingOutcome>;
  /** @throws {StoreUnavailableError} */
  backlog(): Promise<Backlog>;
}

/** Where the sequencer logs; pino's loggers are one. */
export interface SequencerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Delay after a notification, which coalesces notifications. Also the polling interval after a batch was found without
 * one: other processes, which notify this one of nothing, go on writing.
 */
const SOON_MS = 20;
/** Longest polling interval. The interval doubles, up to here, while nothing is found. */
const LOOK_INTERVAL_MS = 1_000;
/** Most events in one transaction. */
const BATCH_SIZE = 1_000;
/** Small, because each event may be queued for thousands of endpoints of webhooks. */
const LEAST_BATCH_SIZE = 5;
/**
 * A full batch that takes longer, in milliseconds, is followed by smaller ones, long before it meets the time limit of a
 * statement; what is written meanwhile waits less.
 */
const LONG_BATCH_MS = 150;
/**
 * Slow batches do not get smaller than this, unless they fail: where each commit takes long, smaller batches only add
 * commits.
 */
const LEAST_LONG_BATCH_SIZE = 125;
/** A full batch that takes less is followed by larger ones. */
const SHORT_BATCH_MS = 50;
/** How long a shutdown waits for the transaction under way. */
const STOP_TIMEOUT_MS = 2_000;

/**
 * A sequencer puts events into one order: it moves those of the outbox, which transactions have written at the same time,
 * to the feed and numbers them there, batch after batch. The number of an event is its position. Each process may have a
 * sequencer: one works at a time, and when it dies, another takes over.
 */
export class EventSequencer {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private running: Promise<void> | undefined;
  /** Since the last look began. */
  private isNotified = false;
  /** Polling interval, in milliseconds. */
  private interval = LOOK_INTERVAL_MS;
  private failing = false;
  private stopped = false;
  private batchSize = BATCH_SIZE;
  private unlisten: (() => void) | undefined;

  constructor(
    private readonly store: SequencingStore,
    private readonly notifier: EventNotifier,
    private readonly log: SequencerLog,
  ) {}

  start(): void {
    if (this.stopped || this.unlisten !== undefined) return;
    this.unlisten = this.notifier.listen(() => {
      this.notified();
    });
    this.schedule(LOOK_INTERVAL_MS * Math.random());
  }

  /**
   * Starts nothing further, and waits up to two seconds for the transaction under way, which the database then rolls
   * back.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unlisten?.();
    clearTimeout(this.timer);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_TIMEOUT_MS)));
    await Promise.race([this.running, late]);
    clearTimeout(timer);
  }

  private notified(): void {
    // While the database fails, notifications cause no further attempts.
    if (this.failing) return;
    this.isNotified = true;
    if (this.running === undefined) this.schedule(SOON_MS);
  }

  /** Looks after `ms`, unless it is to look sooner anyway. */
  private schedule(ms: number): void {
    const dueAt = performance.now() + ms;
    if (this.stopped || this.dueAt <= dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = dueAt;
    this.timer = setTimeout(() => {
      this.dueAt = Infinity;
      this.running ??= this.look().finally(() => {
        this.running = undefined;
        this.schedule(this.isNotified ? SOON_MS : this.interval);
      });
    }, ms);
    this.timer.unref();
  }

  private async look(): Promise<void> {
    const wasNotified = this.isNotified;
    this.isNotified = false;
    try {
      let sequenced = 0;
      let outcome: SequencingOutcome;
      do {
        const beganAt = performance.now();
        outcome = await this.store.sequence(this.batchSize);
        this.succeeded(outcome, performance.now() - beganAt);
        sequenced += outcome.sequenced;
      } while (outcome.hasMore && !this.stopped);
      // Events of a notification tell nothing about other processes.
      if (!wasNotified)
        this.interval = sequenced > 0 ? SOON_MS : Math.min(this.interval * 2, LOOK_INTERVAL_MS);
      // The sequencer at work may have read too early to see the notified events.
      this.isNotified ||= outcome.isBusy;
    } catch (error) {
      this.batchSize = Math.max(LEAST_BATCH_SIZE, Math.floor(this.batchSize / 2));
      if (!this.failing) this.log.warn({ err: error }, 'sequencing events failed, retrying');
      this.failing = true;
      this.isNotified = false;
      this.interval = LOOK_INTERVAL_MS;
    }
  }

  private succeeded({ sequenced }: SequencingOutcome, tookMs: number): void {
    // A batch that is not full tells nothing about the size.
    if (sequenced >= this.batchSize) this.batchSize = this.sizeAfter(tookMs);
    if (this.failing) this.log.info({}, 'sequencing events works again');
    this.failing = false;
  }

  private sizeAfter(tookMs: number): number {
    const { batchSize } = this;
    if (tookMs < SHORT_BATCH_MS) return Math.min(BATCH_SIZE, batchSize * 2);
    if (tookMs <= LONG_BATCH_MS || batchSize <= LEAST_LONG_BATCH_SIZE) return batchSize;
    return Math.max(LEAST_LONG_BATCH_SIZE, Math.floor(batchSize / 2));
  }
}
