import { Redis } from 'ioredis';
import { reasonOf, secretsIn } from './redis-error.js';
import { RedisNode } from './redis-node.js';
import { probeKey, type RedisTopology, type TopologyOptions } from './redis-topology.js';
import type { ScriptCall } from './script-call.js';

const LONGEST_RECONNECT_DELAY_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;

/** Settings of every connection: what was sent and not answered is never sent a second time by itself. */
export const CONNECTION_OPTIONS = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: null,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // A server that hangs does not say goodbye either.
  disconnectTimeout: 100,
  // The script itself shows whether a server is ready; a user of few rights may run nothing else.
  enableReadyCheck: false,
  disableClientInfo: true,
  // A master that was demoted: whoever answers under its address next may be the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const;

/** One Redis server, or whatever stands behind one address. */
export class SingleRedis implements RedisTopology {
  private readonly connection: Redis;
  private readonly node: RedisNode;
  private trouble: string | undefined;

  constructor(url: string, { prefix, observer, timeouts, script }: TopologyOptions) {
    const secrets = secretsIn([url]);
    const connection = new Redis(url, {
      ...CONNECTION_OPTIONS,
      retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_RECONNECT_DELAY_MS),
    });
    // Without a listener it would end the process.
    connection.on('error', (error: Error) => {
      this.trouble = reasonOf(error, secrets);
    });
    this.connection = connection;
    const { host = 'localhost', port = 6379 } = connection.options;
    const context = {
      connection: () => connection,
      trouble: () => this.trouble,
      probeKey: () => probeKey(prefix, 0),
      script,
      redirect: () => false,
      reasonOf: (error: Error) => reasonOf(error, secrets),
    };
    const node = new RedisNode(`${host}:${port}`, context, observer, timeouts);
    connection.on('ready', () => {
      this.trouble = undefined;
      node.connected();
    });
    this.node = node;
  }

  groupOf(): number {
    return 0;
  }

  run(calls: readonly (readonly [number, ScriptCall])[]): void {
    this.node.run(calls.map(([, call]) => call));
  }

  connected(timeoutMs: number): Promise<void> {
    return this.node.open(timeoutMs);
  }

  close(): Promise<void> {
    this.node.close();
    this.connection.disconnect();
    return Promise.resolve();
  }
}
