// `node deploy/cluster/up.mjs [folder] [sentinel | cluster]`, after `npm run build`: starts the cluster in a new or empty
// folder, with Redis under Sentinel (unless said) or as a Redis Cluster.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  Cluster,
  get,
  HERE,
  INSTANCES,
  NUMBERS,
  ORIGIN,
  primary,
  REDIS_CLUSTER,
  ROOT,
  run,
  until,
} from './cluster.mjs';
import { untilWhole } from './whole.mjs';

const [named, redis = 'sentinel'] = process.argv.slice(2);
const folder = named ? resolve(named) : mkdtempSync(join(tmpdir(), 'petstore-cluster-'));
mkdirSync(folder, { recursive: true });
// The servers' user has to get in; each part is for that user alone.
chmodSync(folder, 0o755);
if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: name another folder.`);
const cluster = new Cluster(folder);
const secret = () => randomBytes(24).toString('hex');
const passwords = { superuser: secret(), replication: secret(), owner: secret(), service: secret() };
const url = (role, password, port) => `postgres://${role}:${password}@127.0.0.1:${port}/petstore`;
const environment = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  OPS_HOST: '127.0.0.1',
  TRUSTED_PROXIES: '127.0.0.1',
  DATABASE_URL: url('petstore_service', passwords.service, 26432),
  DATABASE_READ_URL: url('petstore_service', passwords.service, 25001),
  REDIS_URL:
    redis === 'cluster'
      ? REDIS_CLUSTER.map((n) => `redis://127.0.0.1:2637${n}`).join(',')
      : 'redis://127.0.0.1:25379',
  API_KEY_PEPPER: secret(),
  WEBHOOK_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
};
const fill = (file, values) =>
  readFileSync(join(HERE, file), 'utf8').replaceAll(/__(\w+?)__/g, (_, name) => values[name] ?? '');

for (const n of NUMBERS) {
  const etcd = {
    name: `etcd-${n}`,
    'enable-v2': true,
    'data-dir': 'data',
    'listen-client-urls': `http://127.0.0.1:2379${n}`,
    'advertise-client-urls': `http://127.0.0.1:2379${n}`,
    'listen-peer-urls': `http://127.0.0.1:2380${n}`,
    'initial-advertise-peer-urls': `http://127.0.0.1:2380${n}`,
    'initial-cluster': NUMBERS.map((m) => `etcd-${m}=http://127.0.0.1:2380${m}`).join(','),
  };
  cluster.write(`etcd-${n}`, 'etcd.yaml', JSON.stringify(etcd));
  const server = {
    ...{ name: `postgres-${n}`, port: `2543${n}`, rest: `2800${n}` },
    ...{ folder, disk: cluster.diskOf(`postgres-${n}`) },
    ...{ superuserPassword: passwords.superuser, replicationPassword: passwords.replication },
  };
  cluster.write(`postgres-${n}`, 'patroni.yaml', fill('patroni.yaml', server));
}
const disks = await Promise.all(NUMBERS.map((n) => cluster.mountDisk(`postgres-${n}`)));
const settings = { redis, passwords, environment, disks: disks.every(Boolean) };
writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
const redisServers = redis === 'cluster' ? REDIS_CLUSTER : NUMBERS;
for (const n of redisServers) {
  const clustered = 'cluster-enabled yes\ncluster-node-timeout 2000';
  const role = redis === 'cluster' ? clustered : n === 1 ? '' : 'replicaof 127.0.0.1 26371';
  cluster.write(
    `redis-${n}`,
    'redis.conf',
    fill('redis.conf', { folder, name: `redis-${n}`, port: `2637${n}`, role }),
  );
}
for (const n of redis === 'cluster' ? [] : NUMBERS)
  cluster.write(
    `sentinel-${n}`,
    'sentinel.conf',
    fill('sentinel.conf', { folder, name: `sentinel-${n}`, port: `2700${n}` }),
  );
cluster.write('pgbouncer', 'pgbouncer.ini', fill('pgbouncer.ini', { folder }));
cluster.write('pgbouncer', 'users.txt', `"petstore_service" "${passwords.service}"\n`);
const edge = readFileSync(join(HERE, '../proxies/haproxy.cfg'), 'utf8')
  .replace('bind :8080', `bind ${new URL(ORIGIN).host}`)
  .replace('  bind :::8080 v6only\n', '')
  // All the load comes from one address.
  .replace(/ gt \d+/g, ' gt 1000000')
  .replace(/^ {2}server .*\n/m, INSTANCES.map((n) => `  server petstore-${n} 127.0.0.1:2300${n}\n`).join(''));
cluster.write('haproxy', 'haproxy.cfg', `${edge}\n${fill('haproxy.cfg', {})}`);
for (const n of INSTANCES) cluster.write(`petstore-${n}`, 'log', '');

console.error(`Starting in ${folder}; end it with: node deploy/cluster/down.mjs ${folder}`);
for (const n of NUMBERS) cluster.start(`etcd-${n}`);
for (const n of redisServers) cluster.start(`redis-${n}`);
if (redis === 'cluster') {
  const servers = redisServers.map((n) => `127.0.0.1:2637${n}`);
  const create = ['--cluster', 'create', ...servers, '--cluster-replicas', '1', '--cluster-yes'];
  await until(() => run('redis-cli', create), 20_000, 'the Redis Cluster');
} else for (const n of NUMBERS) cluster.start(`sentinel-${n}`);
for (const part of ['haproxy', 'pgbouncer']) cluster.start(part);
await until(() => get('http://127.0.0.1:23791/health').then(({ text }) => /true/.test(text)), 20_000, 'etcd');
for (const n of NUMBERS) cluster.start(`postgres-${n}`);
await until(() => primary(), 60_000, 'a primary');

const psql = (database, ...words) =>
  run(
    'psql',
    ['-h', '127.0.0.1', '-p', '25000', '-U', 'postgres', '-qX', '-v', 'ON_ERROR_STOP=1', ...words, database],
    {
      PGPASSWORD: passwords.superuser,
    },
  );
const roles = join(ROOT, 'deploy/postgres/roles.sql');
await until(
  () => psql('postgres', '-c', 'create database petstore').then(() => true),
  20_000,
  'the database',
);
await psql('petstore', '-1', '-f', roles);
const commands = [
  `alter role petstore_owner password '${passwords.owner}'`,
  `alter role petstore_service password '${passwords.service}'`,
];
await psql('petstore', ...commands.flatMap((command) => ['-c', command]));
await run(process.execPath, [join(ROOT, 'apps/operator-cli/bundle/main.js'), 'migrate'], {
  DATABASE_URL: url('petstore_owner', passwords.owner, 25000),
  API_KEY_PEPPER: environment.API_KEY_PEPPER,
});
await psql('petstore', '-1', '-f', roles);
for (const n of INSTANCES) cluster.start(`petstore-${n}`);
await untilWhole(cluster);
console.log(`${ORIGIN} serves. Its folder: ${folder}`);
