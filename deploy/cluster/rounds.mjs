// The rounds of a rehearsal: each finds its parts, and says what is done to them.
import { setTimeout as sleep } from 'node:timers/promises';
import { get, INSTANCES, NUMBERS, primary, redisClusterMaster, redisMaster, run, until } from './cluster.mjs';
import {
  filled,
  frozen,
  killed,
  lasting,
  patroniFrozen,
  untilPromoted,
  untilRedisMaster,
} from './faults.mjs';

const ETCD_MAJORITY = ['etcd-1', 'etcd-2'];
const REDIS_AND_SENTINELS = NUMBERS.flatMap((n) => [`redis-${n}`, `sentinel-${n}`]);

async function members() {
  return JSON.parse((await get(`http://127.0.0.1:2800${await primary()}/cluster`)).text).members;
}

async function synchronousStandby() {
  return (await members()).find(({ role }) => role === 'sync_standby').name;
}

async function standbys() {
  return (await members()).filter(({ role }) => role !== 'leader').map(({ name }) => name);
}

async function etcdLeader() {
  const endpoints = NUMBERS.map((n) => `http://127.0.0.1:2379${n}`).join(',');
  const words = ['--endpoints', endpoints, 'endpoint', 'status', '--write-out', 'json'];
  const states = JSON.parse(await run('etcdctl', words));
  const leader = states.find(({ Status }) => Status.leader === Status.header.member_id);
  return `etcd-${leader.Endpoint.at(-1)}`;
}

const redisServer = (port) => `redis-${String(port).at(-1)}`;

const ready = (n) => get(`http://127.0.0.1:2900${n}/readyz`).then(({ status }) => status === 200);

async function replaceInstances(cluster) {
  for (const n of INSTANCES) {
    await cluster.stop(`petstore-${n}`);
    cluster.start(`petstore-${n}`);
    await until(() => ready(n), 30_000, `petstore-${n}`);
    // HAProxy looks twice a second.
    await sleep(2_000);
  }
}

/** What a migration that only adds does, as the owner of the tables. */
async function addColumn(cluster) {
  const url = `postgres://petstore_owner:${cluster.settings.passwords.owner}@127.0.0.1:25000/petstore`;
  const add = `alter table pets add column rehearsed_${Date.now()} text`;
  await run('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', '-c', "set lock_timeout = '2s'", '-c', add, url]);
}

/** With Redis as a Redis Cluster. All other parts are the same, so their rounds are not repeated. */
export const REDIS_CLUSTER_ROUNDS = {
  'master of the Redis Cluster killed': async () => {
    const old = await redisClusterMaster();
    const { fault, fix } = killed(`redis-${old}`);
    return {
      fault: async (cluster) => {
        await fault(cluster);
        const other = `2637${old === 1 ? 2 : 1}`;
        const failed = new RegExp(`:2637${old}@\\S+ master,fail `);
        const isReplaced = async () => {
          const nodes = await run('redis-cli', ['-p', other, 'cluster', 'nodes']);
          return failed.test(nodes) && [...nodes.matchAll(/(?:myself,| )master - /g)].length === 3;
        };
        await until(isReplaced, 30_000, 'another master of the Redis Cluster');
      },
      fix,
    };
  },
};

export const ROUNDS = {
  'primary killed': async () => {
    const old = await primary();
    return untilPromoted(old, killed(`postgres-${old}`));
  },
  'primary and master of Redis killed': async () => {
    const old = await primary();
    return untilPromoted(old, killed(`postgres-${old}`, redisServer(await redisMaster())));
  },
  'primary frozen, thawed': async () => {
    const old = await primary();
    return untilPromoted(old, frozen(`postgres-${old}`));
  },
  'Patroni of the primary frozen, thawed': async () => {
    const old = await primary();
    return untilPromoted(old, patroniFrozen(`postgres-${old}`));
  },
  'planned switchover': async () => {
    const [old, candidate] = [await primary(), await synchronousStandby()];
    const fault = async () => {
      const body = JSON.stringify({ leader: `postgres-${old}`, candidate });
      // Patroni responds when it is done.
      const response = await fetch(`http://127.0.0.1:2800${old}/switchover`, { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
    };
    return untilPromoted(old, { fault });
  },
  'synchronous replica killed': async () => killed(await synchronousStandby()),
  'both standbys killed': async () => killed(...(await standbys())),
  'both standbys frozen for 15 s': async () => lasting(15, frozen(...(await standbys()))),
  'etcd leader killed': async () => killed(await etcdLeader()),
  'etcd without quorum for 40 s': () => lasting(40, killed(...ETCD_MAJORITY)),
  'PgBouncer restarted': () => ({
    fault: async (cluster) => {
      await cluster.stop('pgbouncer');
      cluster.start('pgbouncer');
    },
  }),
  'PgBouncer frozen for 10 s': () => lasting(10, frozen('pgbouncer')),
  'HAProxy reloaded': () => ({
    fault: (cluster) => void process.kill(cluster.pids('haproxy')[0], 'SIGUSR2'),
  }),
  'Redis master killed': async () => {
    const port = await redisMaster();
    return untilRedisMaster(port, killed(redisServer(port)));
  },
  'Redis master frozen, thawed': async () => {
    const port = await redisMaster();
    return untilRedisMaster(port, frozen(redisServer(port)));
  },
  'all of Redis killed for 10 s': () => lasting(10, killed(...REDIS_AND_SENTINELS)),
  'instance killed': () => killed('petstore-1'),
  'instance frozen for 20 s': () => lasting(20, frozen('petstore-1')),
  'column added, instances replaced one by one': () => ({
    fault: async (cluster) => {
      await addColumn(cluster);
      await replaceInstances(cluster);
    },
  }),
};

/** For servers that have disks of their own. */
export const DISK_ROUNDS = {
  'disk of the primary full for 20 s': async () => lasting(20, filled(`postgres-${await primary()}`)),
  'disk of the synchronous standby full for 20 s': async () =>
    lasting(20, filled(await synchronousStandby())),
};
