import { once } from 'node:events';
import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { RateLimitObserver } from '../rate-limit-observer.js';
import { RedisNode, type RedisPatience } from './redis-node.js';
import { probeKey, type RedisTopology } from './redis-topology.js';
import type { ScriptCall } from './script-call.js';
import { CONNECTION_OPTIONS } from './single-redis.js';

/** How soon a failover is noticed when no node tells of it, in milliseconds. */
const SLOTS_REFRESH_MS = 2_000;
/** So many names are enough to meet a node of a single slot. */
const MOST_PROBE_KEYS = 200_000;
const REDIRECTED = /^(?:MOVED|ASK|TRYAGAIN) /;

/**
 * A Redis Cluster: each call goes straight to the node of its slot, and each node can be away by itself.
 * What a node sends elsewhere, because its slots are on the move, goes through the library's own
 * redirection, key by key.
 */
export class RedisCluster implements RedisTopology {
  readonly #cluster: Cluster;
  readonly #nodes = new Map<string, RedisNode>();
  /** Connections by the name of their node, kept up to date by the cluster's events. */
  readonly #connections = new Map<string, Redis>();
  readonly #prefix: string;
  readonly #observer: RateLimitObserver;
  readonly #patience: RedisPatience;

  constructor(urls: readonly string[], prefix: string, observer: RateLimitObserver, patience: RedisPatience) {
    this.#prefix = prefix;
    this.#observer = observer;
    this.#patience = patience;
    const [first = ''] = urls;
    const { username, password, protocol } = new URL(first);
    this.#cluster = new Cluster([...urls], {
      slotsRefreshInterval: SLOTS_REFRESH_MS,
      clusterRetryStrategy: (attempt) => Math.min(attempt * 50, 500),
      // A call that a node refuses is decided in the process at once, and not sent again much later.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      redisOptions: {
        ...CONNECTION_OPTIONS,
        ...(username && { username: decodeURIComponent(username) }),
        ...(password && { password: decodeURIComponent(password) }),
        ...(protocol === 'rediss:' && { tls: {} }),
      },
    });
    this.#cluster.on('error', () => undefined);
    this.#cluster.on('+node', (connection: Redis) => {
      const name = nameOf(connection);
      this.#connections.set(name, connection);
      connection.connect().catch(() => undefined);
    });
    this.#cluster.on('-node', (connection: Redis) => {
      const name = nameOf(connection);
      if (this.#connections.get(name) === connection) this.#connections.delete(name);
    });
  }

  groupOf(key: string): number {
    return calculateSlot(key);
  }

  run(calls: readonly (readonly [number, ScriptCall])[]): void {
    const byNode = new Map<string, ScriptCall[]>();
    for (const [slot, call] of calls) {
      const name = this.#nameOfNodeFor(slot);
      const together = byNode.get(name);
      if (together) together.push(call);
      else byNode.set(name, [call]);
    }
    for (const [name, together] of byNode) this.#node(name).run(together);
  }

  async connected(patienceMs: number): Promise<void> {
    const signal = AbortSignal.timeout(patienceMs);
    if (this.#cluster.status !== 'ready') {
      await once(this.#cluster, 'ready', { signal }).catch(() => undefined);
    }
    const masters = this.#cluster.nodes('master').filter(({ status }) => status !== 'ready');
    await Promise.all(masters.map((master) => once(master, 'ready', { signal }).catch(() => undefined)));
  }

  close(): Promise<void> {
    for (const node of this.#nodes.values()) node.close();
    this.#cluster.disconnect();
    return Promise.resolve();
  }

  #nameOfNodeFor(slot: number): string {
    return this.#cluster.slots[slot]?.[0] ?? 'unknown';
  }

  #node(name: string): RedisNode {
    let node = this.#nodes.get(name);
    if (node === undefined) {
      const context = {
        connection: () => this.#connections.get(name),
        probeKey: () => this.#probeKeyOn(name),
        redirect: (call: ScriptCall, error: Error) => this.#redirect(call, error),
      };
      node = new RedisNode(name, context, this.#observer, this.#patience);
      this.#nodes.set(name, node);
    }
    return node;
  }

  /** A key of a slot of the node; `undefined` when it has none any more, and nobody waits for it. */
  #probeKeyOn(name: string): string | undefined {
    if (!this.#cluster.slots.some((slot) => slot[0] === name)) return undefined;
    for (let variation = 0; variation < MOST_PROBE_KEYS; variation++) {
      const key = probeKey(this.#prefix, variation);
      if (this.#nameOfNodeFor(calculateSlot(key)) === name) return key;
    }
    return undefined;
  }

  /** Key by key, because of the keys of a slot that moves some are still here and some already there. */
  #redirect(call: ScriptCall, error: Error): boolean {
    if (!REDIRECTED.test(error.message)) return false;
    for (const part of call.split()) {
      part.sendTo(this.#cluster, true, () => {
        part.fail();
      });
    }
    return true;
  }
}

function nameOf(connection: Redis): string {
  const { host = '', port = 0 } = connection.options;
  return `${host}:${port}`;
}
