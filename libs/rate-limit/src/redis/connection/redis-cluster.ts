import { once } from 'node:events';
import calculateSlot from 'cluster-key-slot';
import type { Cluster, Redis } from 'ioredis';
import { CLUSTER_OPTIONS, CONNECTION_OPTIONS } from './connection-options.js';
import { reasonOf } from './redis-error.js';
import { RedisNode } from './redis-node.js';
import { probeKey, type RedisTopology, type TopologyOptions } from './redis-topology.js';
import type { ScriptCall } from './script-call.js';

/** Stands for the node of a slot while the cluster has announced none. */
const UNKNOWN_NODE = 'cluster';
/** So many names are enough to meet a node of a single slot. */
const MOST_PROBE_KEYS = 200_000;
const REDIRECTED = /^(?:MOVED|ASK|TRYAGAIN) /;

/**
 * A Redis Cluster: each call goes straight to the node of its slot, and each node can be unavailable by itself.
 * What a node sends elsewhere, because its slots are on the move, goes through the library's own
 * redirection, key by key.
 */
export class RedisCluster implements RedisTopology {
  private readonly cluster: Cluster;
  private readonly nodes = new Map<string, RedisNode>();
  /** Connections by the name of their node, kept up to date by the cluster's events. */
  private readonly connections = new Map<string, Redis>();
  private readonly options: TopologyOptions;
  private password: string | null | undefined;
  private trouble: string | undefined;

  /** @param client says where the cluster is; it is never used itself */
  constructor(client: Cluster, options: TopologyOptions) {
    this.options = options;
    this.cluster = client.duplicate([], { ...CLUSTER_OPTIONS, redisOptions: CONNECTION_OPTIONS });
    this.password = this.cluster.options.redisOptions?.password;
    const onTrouble = (error: Error): void => {
      this.trouble = reasonOf(error, this.password);
    };
    this.cluster.on('error', onTrouble);
    this.cluster.on('node error', onTrouble);
    this.cluster.on('+node', (connection: Redis) => {
      const name = nameOf(connection);
      this.password ??= connection.options.password;
      this.connections.set(name, connection);
      connection.on('ready', () => {
        this.nodes.get(name)?.connected();
      });
      connection.connect().catch(() => undefined);
    });
    this.cluster.on('-node', (connection: Redis) => {
      const name = nameOf(connection);
      if (this.connections.get(name) === connection) this.connections.delete(name);
    });
  }

  groupOf(key: string): number {
    return calculateSlot(key);
  }

  run(calls: readonly (readonly [number, ScriptCall])[]): void {
    const byNode = new Map<string, ScriptCall[]>();
    for (const [slot, call] of calls) {
      const name = this.nameOfNodeFor(slot);
      const together = byNode.get(name);
      if (together) together.push(call);
      else byNode.set(name, [call]);
    }
    for (const [name, together] of byNode) this.node(name).run(together);
  }

  async connect(timeoutMs: number): Promise<void> {
    // What it rejects with is reported by the events, too.
    this.cluster.connect().catch(() => undefined);
    const end = performance.now() + timeoutMs;
    if (this.cluster.status !== 'ready') {
      await once(this.cluster, 'ready', { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
    }
    const masters = this.masters();
    const names = masters.size > 0 ? [...masters] : [UNKNOWN_NODE];
    const left = Math.max(1, Math.round(end - performance.now()));
    await Promise.all(names.map((name) => this.node(name).open(left)));
  }

  close(): Promise<void> {
    for (const node of this.nodes.values()) node.close();
    this.cluster.disconnect();
    return Promise.resolve();
  }

  private nameOfNodeFor(slot: number): string {
    return this.cluster.slots[slot]?.[0] ?? UNKNOWN_NODE;
  }

  private masters(): Set<string> {
    return new Set(this.cluster.slots.flatMap((slot) => slot[0] ?? []));
  }

  private node(name: string): RedisNode {
    let node = this.nodes.get(name);
    if (node === undefined) {
      const context = {
        connection: () => this.connections.get(name),
        trouble: () => this.trouble,
        probeKey: () => this.probeKeyOn(name),
        script: this.options.script,
        reasonOf: (error: Error) => reasonOf(error, this.password),
        redirect: (call: ScriptCall, error: Error) => this.redirect(call, error),
      };
      node = new RedisNode(name, context, this.options.observer, this.options.timeouts);
      this.nodes.set(name, node);
    }
    return node;
  }

  /** A key of a slot of the node; `undefined` when it has none any more, and nothing waits for it. Not for hot paths. */
  private probeKeyOn(name: string): string | undefined {
    const { prefix } = this.options;
    const masters = this.masters();
    if (name === UNKNOWN_NODE) {
      const known = masters.size > 0 && [...masters].every((master) => this.isReady(master));
      return known ? undefined : probeKey(prefix, 0);
    }
    if (!masters.has(name)) return undefined;
    for (let variation = 0; variation < MOST_PROBE_KEYS; variation++) {
      const key = probeKey(prefix, variation);
      if (this.nameOfNodeFor(calculateSlot(key)) === name) return key;
    }
    return undefined;
  }

  private isReady(name: string): boolean {
    return this.connections.get(name)?.status === 'ready';
  }

  /** Key by key, because of the keys of a slot that moves some are still here and some already there. */
  private redirect(call: ScriptCall, error: Error): boolean {
    if (!REDIRECTED.test(error.message)) return false;
    for (const part of call.split()) {
      part.sendTo(this.cluster, true, () => {
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
