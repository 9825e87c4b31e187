// The processes of the cluster: how each is started, found and ended. Every one has a folder of its own as its working
// directory, which is how it is recognised: what works elsewhere, or has a terminal, is never touched.
import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(HERE, '../..');
export const ORIGIN = 'http://127.0.0.1:28080';
export const NUMBERS = [1, 2, 3];
export const INSTANCES = [1, 2];
/** Redis without Sentinel: three masters, then their replicas. */
export const REDIS_CLUSTER = [1, 2, 3, 4, 5, 6];

/** Servers run as postgres where root starts them, else as the caller. */
const idOf = (option) => Number(execFileSync('id', [option, 'postgres']));
const USER = process.getuid() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};

export class Cluster {
  constructor(folder) {
    this.folder = folder;
  }

  /** Makes a file of one part, which only the servers' user may read. */
  write(part, file, text) {
    const home = join(this.folder, part);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(join(home, file), text, { mode: 0o600 });
    if (USER.uid !== undefined)
      for (const path of [home, join(home, file)]) chownSync(path, USER.uid, USER.gid);
  }

  /** Where a server of PostgreSQL has its data. */
  diskOf(part) {
    return join(this.folder, part, 'disk');
  }

  /** Gives a server a small disk of its own, which can be filled without disturbing any other. Whether root did so. */
  async mountDisk(part) {
    const disk = this.diskOf(part);
    mkdirSync(disk);
    if (USER.uid === undefined) return false;
    chownSync(disk, USER.uid, USER.gid);
    const options = `size=512m,mode=700,uid=${USER.uid},gid=${USER.gid}`;
    return run('mount', ['-t', 'tmpfs', '-o', options, 'petstore-cluster', disk]).then(
      () => true,
      () => false,
    );
  }

  /** What up.mjs made: passwords, the environment of the instances, whether the servers have disks of their own. */
  get settings() {
    return JSON.parse(readFileSync(join(this.folder, 'settings.json'), 'utf8'));
  }

  start(part) {
    const home = join(this.folder, part);
    const [kind, number] = part.split('-');
    const commands = {
      etcd: ['etcd', '--config-file', 'etcd.yaml'],
      postgres: ['patroni', 'patroni.yaml'],
      haproxy: ['haproxy', '-W', '-f', 'haproxy.cfg'],
      pgbouncer: ['pgbouncer', 'pgbouncer.ini'],
      redis: ['redis-server', 'redis.conf'],
      sentinel: ['redis-sentinel', 'sentinel.conf'],
      petstore: [process.execPath, join(ROOT, 'apps/api/bundle/main.js')],
    };
    const [command, ...args] = commands[kind];
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, LANG: 'C.UTF-8' };
    if (kind === 'petstore')
      Object.assign(env, this.settings.environment, { PORT: `2300${number}`, OPS_PORT: `2900${number}` });
    const log = openSync(join(home, 'log'), 'a', 0o600);
    const child = spawn(command, args, {
      cwd: home,
      env,
      detached: true,
      stdio: ['ignore', log, log],
      ...USER,
    });
    child.on('error', (error) => console.error(`${part}: ${error.message}`));
    child.unref();
  }

  /** All processes of a part, its own one first. */
  pids(part) {
    const home = join(this.folder, part);
    const found = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const cwd = readlinkSync(`/proc/${pid}/cwd`);
          // Behind the name, which may contain blanks: state, parent, group, session, terminal.
          const terminal = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[4];
          return (cwd === home || cwd.startsWith(`${home}/`)) && terminal === '0';
        } catch {
          return false;
        }
      });
    return found.map(Number).sort((a, b) => a - b);
  }

  /** To every process of a part, also to those that it starts meanwhile. */
  signal(part, signal) {
    for (const _ of [1, 2]) for (const pid of this.pids(part)) this.#kill(pid, signal);
  }

  /** Ends a part in order: asks its first process, and kills what is left after 20 s. */
  async stop(part) {
    const [first] = this.pids(part);
    if (first === undefined) return;
    this.#kill(first, 'SIGTERM');
    const gone = () => this.pids(part).length === 0;
    await until(gone, 20_000, part).catch(() => this.kill(part));
  }

  /** As if its machine had lost its power. */
  async kill(part) {
    await until(
      () => {
        this.signal(part, 'SIGKILL');
        return this.pids(part).length === 0;
      },
      5_000,
      `the end of ${part}`,
    );
  }

  #kill(pid, signal) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

export const run = async (command, args, env = {}) =>
  (await promisify(execFile)(command, args, { env: { PATH: process.env.PATH, ...env }, timeout: 60_000 }))
    .stdout;

/** The first truthy value of a check; a check that fails is repeated. */
export async function until(check, timeoutMs, what) {
  const end = performance.now() + timeoutMs;
  let cause;
  while (performance.now() < end) {
    const value = await Promise.resolve()
      .then(check)
      .catch((error) => void (cause = error));
    if (value) return value;
    await sleep(100);
  }
  throw new Error(`Waited ${timeoutMs} ms for ${what}.`, { cause });
}

export async function get(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
  return { status: response.status, text: await response.text() };
}

/** The number of the PostgreSQL server, of these, that Patroni says is the primary. */
export async function primary(among = NUMBERS) {
  const isPrimary = (n) =>
    get(`http://127.0.0.1:2800${n}/primary`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const states = await Promise.all(among.map(isPrimary));
  return among.find((_, index) => states[index]);
}

/** The number of a master of the Redis Cluster. */
export async function redisClusterMaster() {
  const nodes = await run('redis-cli', ['-p', '26371', 'cluster', 'nodes']);
  const [, number] = /127\.0\.0\.1:2637(\d)\S* (?:myself,)?master - /.exec(nodes);
  return Number(number);
}

/** The port of the Redis server that Sentinel says is the master. */
export async function redisMaster() {
  const words = ['-p', '27001', '--raw', 'sentinel', 'get-master-addr-by-name', 'petstore'];
  return Number((await run('redis-cli', words)).split('\n')[1]);
}
