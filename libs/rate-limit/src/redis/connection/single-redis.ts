import type { Redis } from 'ioredis';
import { CONNECTION_OPTIONS } from './connection-options.js';
import { reasonOf } from './redis-error.js';
import { RedisNode } from './redis-node.js';
import { probeKey, type RedisTopology, type TopologyOptions } from './redis-topology.js';
import type { ScriptCall } from './script-call.js';

/** One Redis server, or whatever stands behind one address. */
export class SingleRedis implements RedisTopology {
  private readonly connection: Redis;
  private readonly node: RedisNode;
  private trouble: string | undefined;

  /** @param client says where the server is; it is never used itself */
  constructor(client: Redis, { prefix, observer, timeouts, script }: TopologyOptions) {
    const connection = client.duplicate(CONNECTION_OPTIONS);
    const { host = 'localhost', port = 6379, password } = connection.options;
    // Without a listener it would end the process.
    connection.on('error', (error: Error) => {
      this.trouble = reasonOf(error, password);
    });
    this.connection = connection;
    const context = {
      connection: () => connection,
      trouble: () => this.trouble,
      probeKey: () => probeKey(prefix, 0),
      script,
      redirect: () => false,
      reasonOf: (error: Error) => reasonOf(error, password),
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

  connect(timeoutMs: number): Promise<void> {
    // What it rejects with is reported by the event, too.
    this.connection.connect().catch(() => undefined);
    return this.node.open(timeoutMs);
  }

  close(): Promise<void> {
    this.node.close();
    this.connection.disconnect();
    return Promise.resolve();
  }
}
