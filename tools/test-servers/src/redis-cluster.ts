import { waitFor } from '@petstore/testing';
import { Redis } from 'ioredis';
import { runRedisCli } from './redis-binary.js';
import { startRedis, type TestRedis } from './redis.js';

const MASTERS = 3;
/** How long a node may be silent before the others call it lost. Nodes that have a short one find each other sooner. */
const NODE_TIMEOUT_AT_START_MS = 1_000;
/** Later on a busy machine may keep nodes silent. */
const NODE_TIMEOUT_MS = 15_000;

const SETTINGS = [
  ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(NODE_TIMEOUT_AT_START_MS)],
  ...['--cluster-require-full-coverage', 'no', '--cluster-replica-validity-factor', '0'],
  // A busy machine may keep a master silent: only tests make replicas the masters.
  ...['--cluster-replica-no-failover', 'yes'],
  ...['--repl-diskless-sync-delay', '0'],
];

/** A real Redis Cluster on the loopback interface. */
export interface TestRedisCluster {
  /** Addresses of all nodes, separated by commas. */
  readonly url: string;
  readonly masters: readonly TestRedis[];
  /** Those of the first master, then of the second and so on. */
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

/**
 * Starts a cluster of three masters, which share the slots evenly, for one test file, in about two seconds. It serves
 * what it can when a node is lost.
 *
 * @param options.replicas of each master; none unless given
 */
export async function startRedisCluster({ replicas: replicasEach = 0 } = {}): Promise<TestRedisCluster> {
  const nodes: TestRedis[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    // One after another: two servers that look for a free port at once may find the same.
    for (let i = 0; i < MASTERS * (1 + replicasEach); i++)
      nodes.push(await startRedis({ settings: SETTINGS }));
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', String(replicasEach)];
    await runRedisCli([...create, '--cluster-yes']);
    const [masters, others] = [nodes.slice(0, MASTERS), nodes.slice(MASTERS)];
    await until(nodes, async (client) => (await client.cluster('INFO')).includes('cluster_state:ok'));
    await until(others, async (client) =>
      (await client.info('replication')).includes('master_link_status:up'),
    );
    const masterPorts = await Promise.all(
      others.map((node) => ask(node, async (client) => (await client.role())[2])),
    );
    const replicas = masters.flatMap(({ port }) => others.filter((_, i) => masterPorts[i] === port));
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
