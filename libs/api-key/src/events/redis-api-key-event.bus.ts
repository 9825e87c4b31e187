import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { ApiKeyEventBus } from './api-key-event-bus.js';
import { ApiKeyEvent } from './api-key-event.js';

const CHANNEL = 'petstore:keys';

/** Longest that telling the others may take, in milliseconds; they find out by themselves anyway. */
const PUBLISH_TIMEOUT = 2_000;
/** Longest that {@link RedisApiKeyEventBus.subscribe} waits for a Redis that is not there, in milliseconds. */
const SUBSCRIBE_TIMEOUT = 1_000;
/** Time between two attempts to subscribe where Redis refuses or does not answer, in milliseconds: doubled each time. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/** Whoever wants to know whether events arrive: for a log line and a metric. No method may throw. */
export interface ApiKeyEventBusObserver {
  /** Events arrive, from now on. */
  subscribed?(): void;
  /**
   * No events arrive: once when that begins, and once more when it turns out to be refused, which is when Redis is
   * there and does not let this user have them, in its own words; otherwise Redis is away.
   */
  unsubscribed?(loss: { readonly refused: boolean; readonly reason: string }): void;
}

/** Carries the events of keys over Redis publish/subscribe; on a cluster Redis itself spreads it to every node. */
export class RedisApiKeyEventBus implements ApiKeyEventBus {
  private readonly publisher: Redis | Cluster;
  private subscriber: Redis | Cluster | undefined;
  private listener: ((event: ApiKeyEvent) => void) | undefined;
  /** `undefined` until it is known. */
  private arriving: boolean | undefined;
  private refused = false;
  private attempting = false;
  private pause = FIRST_PAUSE;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * @param redisUrl `redis://` or `rediss://`, several separated by commas for a cluster. Redis need not
   *   be there; the feed connects when it is, and again after every loss.
   */
  constructor(
    private readonly redisUrl: string,
    private readonly observer: ApiKeyEventBusObserver = {},
  ) {
    this.publisher = connect(redisUrl);
  }

  async publish(event: ApiKeyEvent): Promise<void> {
    await within(PUBLISH_TIMEOUT, this.publisher.publish(CHANNEL, ApiKeyEvent.encode(event)));
  }

  /** Resolves when events arrive, or after a second without. */
  async subscribe(listener: (event: ApiKeyEvent) => void): Promise<void> {
    this.listener = listener;
    // A connection that subscribes can do nothing else.
    const subscriber = (this.subscriber ??= connect(this.redisUrl));
    subscriber.on('message', (_channel: string, message: string) => {
      const event = ApiKeyEvent.decode(message);
      if (event !== undefined) this.listener?.(event);
    });
    subscriber.on('close', () => {
      this.lost(false, 'no connection');
      this.attemptLater(subscriber);
    });
    const known = new Promise<void>((resolve) => {
      // On every connection, also the first that comes about: Redis may be away at this moment.
      subscriber.on('ready', () => void this.attempt(subscriber).then(resolve));
      if (subscriber.status === 'ready') void this.attempt(subscriber).then(resolve);
    });
    await within(SUBSCRIBE_TIMEOUT, known).catch(() => {
      this.lost(false, `no answer within ${SUBSCRIBE_TIMEOUT} ms`);
      this.attemptLater(subscriber);
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
  private async attempt(subscriber: Redis | Cluster): Promise<void> {
    if (this.attempting || this.closed) return;
    this.attempting = true;
    clearTimeout(this.retry);
    try {
      await within(PUBLISH_TIMEOUT, subscriber.subscribe(CHANNEL));
      this.pause = FIRST_PAUSE;
      if (this.arriving !== true) this.observer.subscribed?.();
      this.arriving = true;
      this.refused = false;
    } catch (error) {
      const { message } = error as Error;
      this.lost(REFUSED.test(message), message);
      this.attemptLater(subscriber);
    } finally {
      this.attempting = false;
    }
  }

  private attemptLater(subscriber: Redis | Cluster): void {
    if (this.closed) return;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => {
      if (this.arriving === true) return;
      if (subscriber.status === 'ready') void this.attempt(subscriber);
      else {
        // The next connection is an attempt; one whose server never answers is given up.
        if (subscriber instanceof Redis && subscriber.status === 'connect') subscriber.disconnect(true);
        this.attemptLater(subscriber);
      }
    }, this.pause).unref();
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  private lost(refused: boolean, reason: string): void {
    if (this.closed || (this.arriving === false && (this.refused || !refused))) return;
    this.arriving = false;
    this.refused = refused;
    this.observer.unsubscribed?.({ refused, reason });
  }
}

/** What Redis says to a user without the right, or without a password. */
const REFUSED = /^(?:NOPERM|NOAUTH|WRONGPASS) /;

/** Rejects when it takes too long. */
async function within<Result>(timeout: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('Redis did not answer.'));
    }, timeout);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function connect(redisUrl: string): Redis | Cluster {
  const nodes = redisUrl.split(',').map((part) => part.trim());
  const [node = ''] = nodes;
  // A socket that is gone already is not waited for: a tool that has nothing left to do shall end.
  const options = {
    ...{ maxRetriesPerRequest: 1, connectTimeout: PUBLISH_TIMEOUT, disconnectTimeout: 100 },
    // A user of few rights may run neither INFO nor CLIENT, and what is refused to the library rejects unseen.
    ...{ enableReadyCheck: false, disableClientInfo: true, autoResubscribe: false },
  };
  const client =
    nodes.length > 1
      ? new Cluster(nodes, { enableReadyCheck: false, redisOptions: { ...options, ...credentialsOf(node) } })
      : new Redis(node, options);
  // Without a listener a lost connection would be printed; nothing depends on this one.
  client.on('error', () => undefined);
  return client;
}

/** What a cluster's first address says holds for its other nodes, too: the cluster names them without it. */
function credentialsOf(url: string): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  const { username, password, protocol } = new URL(url);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}
