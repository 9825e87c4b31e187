import { createRedisClient, type RedisClient } from '../redis/redis-client.js';
import { ApiKeyEvent, type ApiKeyEventBus } from './api-key-event-bus.js';

const CHANNEL = 'petstore:keys';

/** Longest that telling the others may take, in milliseconds; they find out by themselves anyway. */
const PUBLISH_TIMEOUT_MS = 2_000;
/** Longest that {@link RedisApiKeyEventBus.subscribe} waits for a Redis that is not there, in milliseconds. */
const SUBSCRIBE_TIMEOUT_MS = 1_000;
/** Time between two attempts to subscribe where Redis refuses or does not respond, in milliseconds: doubled each time. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** What Redis says to a user without the right, or without a password. */
const REFUSED = /^(?:NOPERM|NOAUTH|WRONGPASS) /;

/** Is called when events stop or resume: for a log line and a metric. No method may throw. */
export interface ApiKeyEventBusObserver {
  /** Events arrive, from now on. */
  subscribed?(): void;
  /**
   * No events arrive: once when that begins, and once more when it turns out to be refused, which is when Redis is
   * there and does not let this user have them, in its own words; otherwise Redis is unavailable.
   */
  unsubscribed?(loss: { readonly refused: boolean; readonly reason: string }): void;
}

/** Carries the events of keys over Redis publish/subscribe; on a cluster Redis itself spreads it to every node. */
export class RedisApiKeyEventBus implements ApiKeyEventBus {
  private readonly publisher: RedisClient;
  private subscriber: RedisClient | undefined;
  private state: 'unknown' | 'subscribed' | 'unavailable' | 'refused' = 'unknown';
  private attempting = false;
  private pause = FIRST_PAUSE_MS;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * @param redisUrls `redis://` or `rediss://`, several for a cluster. Redis need not be there; the feed connects when
   *   it is, and again after every loss.
   */
  constructor(
    private readonly redisUrls: readonly string[],
    private readonly observer: ApiKeyEventBusObserver = {},
  ) {
    this.publisher = createRedisClient(redisUrls);
  }

  async publish(event: ApiKeyEvent): Promise<void> {
    await withTimeout(PUBLISH_TIMEOUT_MS, this.publisher.publish(CHANNEL, ApiKeyEvent.encode(event)));
  }

  /** Resolves when events arrive, or after a second without. */
  async subscribe(listener: (event: ApiKeyEvent) => void): Promise<void> {
    // A connection that subscribes can do nothing else.
    const subscriber = createRedisClient(this.redisUrls, { autoResubscribe: false });
    this.subscriber = subscriber;
    subscriber.on('message', (_channel: string, message: string) => {
      const event = ApiKeyEvent.decode(message);
      if (event !== undefined) listener(event);
    });
    subscriber.on('close', () => {
      this.lost(subscriber, 'no connection');
    });
    const attempted = new Promise<void>((resolve) => {
      // On every connection, also the first that comes about: Redis may be unavailable at this moment.
      subscriber.on('ready', () => void this.attempt(subscriber).then(resolve));
    });
    await withTimeout(SUBSCRIBE_TIMEOUT_MS, attempted).catch(() => {
      this.lost(subscriber, `no response within ${SUBSCRIBE_TIMEOUT_MS} ms`);
    });
  }

  close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    this.publisher.disconnect();
    this.subscriber?.disconnect();
    return Promise.resolve();
  }

  /** Never rejects. */
  private async attempt(subscriber: RedisClient): Promise<void> {
    if (this.attempting || this.closed) return;
    this.attempting = true;
    clearTimeout(this.retry);
    try {
      await withTimeout(PUBLISH_TIMEOUT_MS, subscriber.subscribe(CHANNEL));
      this.pause = FIRST_PAUSE_MS;
      if (this.state !== 'subscribed') this.observer.subscribed?.();
      this.state = 'subscribed';
    } catch (error) {
      this.lost(subscriber, (error as Error).message);
    } finally {
      this.attempting = false;
    }
  }

  /** Events do not arrive: tells the observer what is new about that, and tries again later. */
  private lost(subscriber: RedisClient, reason: string): void {
    if (this.closed) return;
    const refused = REFUSED.test(reason);
    const isNews = refused
      ? this.state !== 'refused'
      : this.state === 'unknown' || this.state === 'subscribed';
    if (isNews) {
      this.state = refused ? 'refused' : 'unavailable';
      this.observer.unsubscribed?.({ refused, reason });
    }
    this.attemptLater(subscriber);
  }

  private attemptLater(subscriber: RedisClient): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => {
      if (this.state === 'subscribed') return;
      if (subscriber.status === 'ready') void this.attempt(subscriber);
      else {
        // The next connection is an attempt; one whose server never responds is given up.
        if (!subscriber.isCluster && subscriber.status === 'connect') subscriber.disconnect(true);
        this.attemptLater(subscriber);
      }
    }, this.pause).unref();
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE_MS);
  }
}

/**
 * What `work` resolves or rejects with; when it takes too long it goes on, and its result is ignored.
 *
 * @throws Error (as a rejection) that Redis did not respond, after `timeoutMs` milliseconds
 */
async function withTimeout<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // If this process itself was away, a reply may have arrived that was not read yet: that comes before immediates.
    timer = setTimeout(() => {
      setImmediate(reject, new Error(`Redis did not respond within ${timeoutMs} ms.`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
