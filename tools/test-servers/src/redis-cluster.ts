import { Redis } from 'ioredis';
import { waitFor } from '@petstore/testing';
import { startRedis, type TestRedis } from './redis.js';

const SLOTS = 16_384;
/** How long a node may be silent before the others call it lost. Nodes that have a short one find each other sooner. */
const NODE_TIMEOUT_AT_START_MS = 1_000;
/** Later on a busy machine may keep nodes silent. */
const NODE_TIMEOUT_MS = 15_000;

/** How a test cluster shall be made up. */
export interface TestRedisClusterOptions {
  /** Masters, which share the slots evenly. 3 unless said. */
  readonly masters?: number;
  /** Replicas of each master. None unless said. */
  readonly replicas?: number;
}

/** A real Redis Cluster on the loopback interface. */
export interface TestRedisCluster {
  /** Addresses of all nodes, separated by commas. */
  readonly url: string;
  readonly masters: readonly TestRedis[];
  readonly replicas: readonly TestRedis[];
  /** Begins to move a slot; until `finish`, keys are in either place, and clients are sent to and fro with ASK. */
  moveSlot(slot: number, from: TestRedis, to: TestRedis): Promise<SlotMove>;
  stop(): Promise<void>;
}

export interface SlotMove {
  /** Carries the keys over. */
  moveKeys(): Promise<void>;
  /** Tells every node of the new place. */
  finish(): Promise<void>;
}

/** Starts a cluster for one test file, in about two seconds. It serves what it can when a node is lost. */
export async function startRedisCluster(options: TestRedisClusterOptions = {}): Promise<TestRedisCluster> {
  const { masters: masterCount = 3, replicas: replicasEach = 0 } = options;
  const settings = [
    ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(NODE_TIMEOUT_AT_START_MS)],
    ...['--cluster-require-full-coverage', 'no', '--cluster-replica-validity-factor', '0'],
    ...['--repl-diskless-sync-delay', '0'],
  ];
  const nodes: TestRedis[] = [];
  try {
    // One after another: two servers that look for a free port at once may find the same.
    for (let i = 0; i < masterCount * (1 + replicasEach); i++) nodes.push(await startRedis({ settings }));
    const masters = nodes.slice(0, masterCount);
    const replicas = nodes.slice(masterCount);
    await introduce(nodes);
    await Promise.all(masters.map((master, i) => assignSlots(master, i, masterCount)));
    await until(nodes, async (client) => (await client.cluster('INFO')).includes('cluster_state:ok'));
    await Promise.all(replicas.map((replica, i) => replicate(replica, masters[i % masterCount])));
    if (replicas.length > 0) await until(replicas, inSync);
    for (const node of nodes)
      await ask(node, (client) => client.config('SET', 'cluster-node-timeout', NODE_TIMEOUT_MS));
    return new RunningCluster(masters, replicas);
  } catch (error) {
    await Promise.all(nodes.map((node) => node.stop()));
    throw error;
  }
}

class RunningCluster implements TestRedisCluster {
  readonly url: string;

  constructor(
    readonly masters: readonly TestRedis[],
    readonly replicas: readonly TestRedis[],
  ) {
    this.url = [...masters, ...replicas].map(({ url }) => url).join(',');
  }

  async moveSlot(slot: number, from: TestRedis, to: TestRedis): Promise<SlotMove> {
    const [fromId, toId] = [await ask(from, idOf), await ask(to, idOf)];
    await ask(to, (client) => client.cluster('SETSLOT', slot, 'IMPORTING', fromId));
    await ask(from, (client) => client.cluster('SETSLOT', slot, 'MIGRATING', toId));
    return {
      moveKeys: () =>
        ask(from, async (client) => {
          const keys = await client.cluster('GETKEYSINSLOT', slot, 1_000_000);
          if (keys.length > 0) await client.migrate('127.0.0.1', to.port, '', 0, 5_000, 'KEYS', ...keys);
        }),
      finish: async () => {
        const others = this.masters.filter((node) => node !== to && node !== from);
        for (const node of [to, from, ...others]) {
          await ask(node, (client) => client.cluster('SETSLOT', slot, 'NODE', toId));
        }
      },
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.masters, ...this.replicas].map((node) => node.stop()));
  }
}

/** Makes the nodes know each other: a round of greetings, then gossip. */
async function introduce(nodes: readonly TestRedis[]): Promise<void> {
  const [first] = nodes;
  if (first === undefined) return;
  await Promise.all(nodes.map((node, i) => ask(node, (client) => client.cluster('SET-CONFIG-EPOCH', i + 1))));
  await ask(first, (client) =>
    Promise.all(nodes.slice(1).map(({ port }) => client.cluster('MEET', '127.0.0.1', port))),
  );
  await until(nodes, async (client) => {
    const known = (await client.cluster('NODES')) as string;
    return known.trim().split('\n').length === nodes.length && !known.includes('handshake');
  });
}

async function assignSlots(master: TestRedis, index: number, count: number): Promise<void> {
  const first = Math.floor((index * SLOTS) / count);
  const end = Math.floor(((index + 1) * SLOTS) / count);
  const slots = Array.from({ length: end - first }, (_, i) => first + i);
  await ask(master, (client) => client.cluster('ADDSLOTS', ...slots));
}

async function replicate(replica: TestRedis, master: TestRedis | undefined): Promise<void> {
  if (master === undefined) return;
  const id = await ask(master, idOf);
  await ask(replica, (client) => client.cluster('REPLICATE', id));
}

async function inSync(client: Redis): Promise<boolean> {
  return (await client.info('replication')).includes('master_link_status:up');
}

function idOf(client: Redis): Promise<string> {
  return client.cluster('MYID');
}

/** Waits until `condition` holds on every node. */
async function until(
  nodes: readonly TestRedis[],
  condition: (client: Redis) => Promise<boolean>,
): Promise<void> {
  for (const node of nodes) await waitFor(() => ask(node, condition));
}

async function ask<T>(node: TestRedis, question: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(node.port, '127.0.0.1');
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}
