import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { KeyChangeFeed } from './key-change-feed.js';
import { KeyNews } from './key-news.js';

const CHANNEL = 'petstore:keys';

/** Longest that telling the others may take, in milliseconds; they find out by themselves anyway. */
const PUBLISH_TIMEOUT = 2_000;

/** Carries the news over Redis publish/subscribe; on a cluster Redis itself spreads it to every node. */
export class RedisKeyChangeFeed implements KeyChangeFeed {
  private readonly publisher: Redis | Cluster;
  private subscriber: Redis | Cluster | undefined;

  /**
   * @param redisUrl `redis://` or `rediss://`, several separated by commas for a cluster. Redis need not
   *   be there; the feed connects when it is, and again after every loss.
   */
  constructor(private readonly redisUrl: string) {
    this.publisher = connect(redisUrl);
  }

  async publish(news: KeyNews): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error('Redis did not answer.'));
      }, PUBLISH_TIMEOUT);
    });
    try {
      await Promise.race([this.publisher.publish(CHANNEL, KeyNews.encode(news)), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async subscribe(listener: (news: KeyNews) => void): Promise<void> {
    // A connection that subscribes can do nothing else.
    const subscriber = (this.subscriber ??= connect(this.redisUrl));
    subscriber.on('message', (_channel: string, message: string) => {
      const news = KeyNews.decode(message);
      if (news !== undefined) listener(news);
    });
    // On every connection, also the first that comes about: Redis may be away at this moment.
    subscriber.on('ready', () => void subscriber.subscribe(CHANNEL).catch(() => undefined));
    await subscriber.subscribe(CHANNEL).catch(() => undefined);
  }

  close(): Promise<void> {
    this.publisher.disconnect();
    this.subscriber?.disconnect();
    return Promise.resolve();
  }
}

function connect(redisUrl: string): Redis | Cluster {
  const nodes = redisUrl.split(',').map((part) => part.trim());
  const [node = ''] = nodes;
  // A socket that is gone already is not waited for: a tool that has nothing left to do shall end.
  const options = { maxRetriesPerRequest: 1, connectTimeout: PUBLISH_TIMEOUT, disconnectTimeout: 100 };
  const client =
    nodes.length > 1
      ? new Cluster(nodes, { redisOptions: { ...options, ...credentialsOf(node) } })
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
