import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { RateLimitObserver } from '../rate-limit-observer.js';
import { RedisNode, type RedisPatience } from './redis-node.js';
import { probeKey, type RedisTopology } from './redis-topology.js';
import type { ScriptCall } from './script-call.js';

const LONGEST_RECONNECT_DELAY_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;

/** Settings of every connection: what was sent and not answered is never sent a second time by itself. */
export const CONNECTION_OPTIONS = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: null,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // A master that was demoted: whoever answers under its address next may be the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const;

/** One Redis server, or whatever stands behind one address. */
export class SingleRedis implements RedisTopology {
  readonly #connection: Redis;
  readonly #node: RedisNode;

  constructor(url: string, prefix: string, observer: RateLimitObserver, patience: RedisPatience) {
    const connection = new Redis(url, {
      ...CONNECTION_OPTIONS,
      retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_RECONNECT_DELAY_MS),
    });
    // What goes wrong with the connection shows in its calls; without a listener it would end the process.
    connection.on('error', () => undefined);
    this.#connection = connection;
    const { host = 'localhost', port = 6379 } = connection.options;
    const context = {
      connection: () => connection,
      probeKey: () => probeKey(prefix, 0),
      redirect: () => false,
    };
    this.#node = new RedisNode(`${host}:${port}`, context, observer, patience);
  }

  groupOf(): number {
    return 0;
  }

  run(calls: readonly (readonly [number, ScriptCall])[]): void {
    this.#node.run(calls.map(([, call]) => call));
  }

  async connected(patienceMs: number): Promise<void> {
    if (this.#connection.status === 'ready') return;
    await once(this.#connection, 'ready', { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
  }

  close(): Promise<void> {
    this.#node.close();
    this.#connection.disconnect();
    return Promise.resolve();
  }
}
