// Whether all parts of the cluster are there, and have what the others have.
import { get, INSTANCES, primary, REDIS_CLUSTER, redisMaster, run, until } from './cluster.mjs';

/** Waits until nothing is missing: one primary and its standbys, the servers of Redis, all instances. */
export async function untilWhole(cluster, timeoutMs = 90_000) {
  await until(
    async () => {
      const patroni = `http://127.0.0.1:2800${await primary()}`;
      const { synchronous_mode } = JSON.parse((await get(`${patroni}/config`)).text);
      const { members } = JSON.parse((await get(`${patroni}/cluster`)).text);
      const states = members.map(({ role, lag = 0, state }) => `${role} ${lag} ${state}`).sort();
      const second = synchronous_mode ? 'sync_standby' : 'replica';
      return new RegExp(`^leader 0 running;replica 0 \\w+;${second} 0 \\w+$`).test(states.join(';'));
    },
    timeoutMs,
    'three servers of PostgreSQL',
  );
  await until(
    () => (cluster.settings.redis === 'cluster' ? redisClusterIsWhole() : sentinelsRedisIsWhole()),
    timeoutMs,
    'the servers of Redis',
  );
  await until(
    async () => {
      const states = await Promise.all(INSTANCES.map((n) => get(`http://127.0.0.1:2900${n}/readyz`)));
      return states.every(({ status, text }) => status === 200 && /"ok"/.test(text));
    },
    timeoutMs,
    'the instances',
  );
}

async function sentinelsRedisIsWhole() {
  const text = await run('redis-cli', ['-p', `${await redisMaster()}`, 'info', 'replication']);
  return /role:master/.test(text) && /connected_slaves:2/.test(text);
}

/** Every server knows three masters, and three replicas that have what their masters have. */
async function redisClusterIsWhole() {
  const ask = (n, ...words) => run('redis-cli', ['-p', `2637${n}`, ...words]);
  const views = await Promise.all(REDIS_CLUSTER.map((n) => ask(n, 'cluster', 'nodes')));
  const states = await Promise.all(REDIS_CLUSTER.map((n) => ask(n, 'info', 'replication')));
  const count = (pattern) => states.filter((state) => pattern.test(state)).length;
  return (
    !views.some((view) => /fail|disconnected/.test(view)) &&
    count(/role:master[^]*connected_slaves:1/) === 3 &&
    count(/master_link_status:up/) === 3
  );
}
