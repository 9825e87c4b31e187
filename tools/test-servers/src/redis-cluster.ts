import { waitFor } from '@petstore/testing';
import { Redis } from 'ioredis';
import { startRedis, type TestRedis } from './redis.js';

const SLOTS = 16_384;
/** How long a node may be silent before the others call it lost. Nodes that have a short one find each other sooner. */
const NODE_TIMEOUT_AT_START_MS = 1_000;
/** Later on a busy machine may keep nodes silent. */
const NODE_TIMEOUT_MS = 15_000;

const SETTINGS = [
  ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(NODE_TIMEOUT_AT_START_MS)],
  ...['--cluster-require-full-coverage', 'no', '--cluster-replica-validity-factor', '0'],
  ...['--repl-diskless-sync-delay', '0'],
];

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
  /** Those of the first master, the second and so on, then again. */
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
  const nodes: TestRedis[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    // One after another: two servers that look for a free port at once may find the same.
    for (let i = 0; i < masterCount * (1 + replicasEach); i++)
      nodes.push(await startRedis({ settings: SETTINGS }));
    const masters = nodes.slice(0, masterCount);
    const replicas = nodes.slice(masterCount);
    await join(nodes);
    await shareSlots(masters);
    await until(nodes, async (client) => (await client.cluster('INFO')).includes('cluster_state:ok'));
    for (const [i, replica] of replicas.entries()) await replicate(replica, masters[i % masterCount]);
    await until(replicas, async (client) =>
      (await client.info('replication')).includes('master_link_status:up'),
    );
    for (const node of nodes)
      await ask(node, (client) => client.config('SET', 'cluster-node-timeout', NODE_TIMEOUT_MS));
    const url = nodes.map((node) => node.url).join(',');
    const moveSlot: TestRedisCluster['moveSlot'] = (slot, from, to) => beginMove(masters, slot, from, to);
    return { url, masters, replicas, moveSlot, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the nodes know each other: a round of greetings, then gossip. */
async function join(nodes: readonly TestRedis[]): Promise<void> {
  for (const [i, node] of nodes.entries())
    await ask(node, async (client) => {
      await client.cluster('SET-CONFIG-EPOCH', i + 1);
      for (const { port } of nodes.slice(0, i)) await client.cluster('MEET', '127.0.0.1', port);
    });
  await until(nodes, async (client) => {
    const known = (await client.cluster('NODES')) as string;
    return known.trim().split('\n').length === nodes.length && !known.includes('handshake');
  });
}

async function shareSlots(masters: readonly TestRedis[]): Promise<void> {
  const startOf = (index: number): number => Math.floor((index * SLOTS) / masters.length);
  for (const [i, master] of masters.entries()) {
    const slots = Array.from({ length: startOf(i + 1) - startOf(i) }, (_, n) => startOf(i) + n);
    await ask(master, (client) => client.cluster('ADDSLOTS', ...slots));
  }
}

async function replicate(replica: TestRedis, master: TestRedis | undefined): Promise<void> {
  if (master === undefined) return;
  const id = await idOf(master);
  await ask(replica, (client) => client.cluster('REPLICATE', id));
}

async function beginMove(
  masters: readonly TestRedis[],
  slot: number,
  from: TestRedis,
  to: TestRedis,
): Promise<SlotMove> {
  const [fromId, toId] = [await idOf(from), await idOf(to)];
  await ask(to, (client) => client.cluster('SETSLOT', slot, 'IMPORTING', fromId));
  await ask(from, (client) => client.cluster('SETSLOT', slot, 'MIGRATING', toId));
  return {
    moveKeys: () =>
      ask(from, async (client) => {
        const keys = await client.cluster('GETKEYSINSLOT', slot, 1_000_000);
        if (keys.length > 0) await client.migrate('127.0.0.1', to.port, '', 0, 5_000, 'KEYS', ...keys);
      }),
    finish: async () => {
      // The new owner first.
      for (const node of new Set([to, from, ...masters]))
        await ask(node, (client) => client.cluster('SETSLOT', slot, 'NODE', toId));
    },
  };
}

function idOf(node: TestRedis): Promise<string> {
  return ask(node, (client) => client.cluster('MYID'));
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
