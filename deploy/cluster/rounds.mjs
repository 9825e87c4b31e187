// The faults of a rehearsal. `fault` does the damage and may return when what replaces the part is there; `mend` puts
// the part back.
import { setTimeout as sleep } from 'node:timers/promises';
import { get, INSTANCES, NUMBERS, primary, redisClusterMaster, redisMaster, run, until } from './cluster.mjs';

/** The moment at which another server than this one is the primary. */
async function promoted(old) {
  await until(() => primary(NUMBERS.filter((n) => n !== old)), 90_000, 'another primary');
  return performance.now();
}

const killed = (part) => ({
  fault: (cluster) => cluster.kill(part),
  mend: (cluster) => cluster.start(part),
});

async function synchronousStandby() {
  const { members } = JSON.parse((await get(`http://127.0.0.1:2800${await primary()}/cluster`)).text);
  return members.find(({ role }) => role === 'sync_standby').name;
}

async function etcdLeader() {
  const endpoints = NUMBERS.map((n) => `http://127.0.0.1:2379${n}`).join(',');
  const words = ['--endpoints', endpoints, 'endpoint', 'status', '--write-out', 'json'];
  const states = JSON.parse(await run('etcdctl', words));
  const leader = states.find(({ Status }) => Status.leader === Status.header.member_id);
  return `etcd-${leader.Endpoint.at(-1)}`;
}

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
    const { fault, mend } = killed(`redis-${old}`);
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
      mend,
    };
  },
};

export const ROUNDS = {
  'primary killed': async () => {
    const old = await primary();
    const { fault, mend } = killed(`postgres-${old}`);
    return { fault: (cluster) => fault(cluster).then(() => promoted(old)), mend };
  },
  'primary frozen, thawed': async () => {
    const old = await primary();
    const part = `postgres-${old}`;
    return {
      fault: async (cluster) => {
        cluster.signal(part, 'SIGSTOP');
        return promoted(old);
      },
      mend: (cluster) => cluster.signal(part, 'SIGCONT'),
    };
  },
  'planned switchover': async () => {
    const [old, candidate] = [await primary(), await synchronousStandby()];
    return {
      fault: async () => {
        const body = JSON.stringify({ leader: `postgres-${old}`, candidate });
        // Patroni responds when it is done.
        const response = await fetch(`http://127.0.0.1:2800${old}/switchover`, { method: 'POST', body });
        if (!response.ok) throw new Error(await response.text());
        return promoted(old);
      },
    };
  },
  'synchronous replica killed': async () => killed(await synchronousStandby()),
  'etcd leader killed': async () => killed(await etcdLeader()),
  'PgBouncer restarted': () => ({
    fault: async (cluster) => {
      await cluster.stop('pgbouncer');
      cluster.start('pgbouncer');
    },
  }),
  'HAProxy reloaded': () => ({
    fault: (cluster) => void process.kill(cluster.pids('haproxy')[0], 'SIGUSR2'),
  }),
  'Redis master killed': async () => {
    const port = await redisMaster();
    const { fault, mend } = killed(`redis-${String(port).at(-1)}`);
    return {
      fault: async (cluster) => {
        await fault(cluster);
        await until(async () => (await redisMaster()) !== port, 30_000, 'another master of Redis');
      },
      mend,
    };
  },
  'instance killed': () => killed('petstore-1'),
  'column added, instances replaced one by one': () => ({
    fault: async (cluster) => {
      await addColumn(cluster);
      await replaceInstances(cluster);
    },
  }),
};
