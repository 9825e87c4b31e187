import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  memoryFolder,
  putDatabase,
  startRedis,
  type TemporaryFolder,
  type TestRedis,
} from '@petstore/test-servers';
import { Client, type Reply } from './client.js';
import { beginToAdd, finish } from './half-sent.js';
import { childrenOf, gone, isAlive } from './process-tree.js';
import { Program } from './program.js';
import { until } from './until.js';

/** Requests one by one, before many come at once. */
const WARM_UP = 10;
/** With more at once, a busy machine keeps a process at work for so long that Redis seems to hang, and each counts alone. */
const AT_ONCE = 20;

let redis: TestRedis;
const folders: TemporaryFolder[] = [];
let program: Program;
let client = new Client('http://127.0.0.1');

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  client.close();
  await redis.stop();
  for (const folder of folders) await folder.remove();
});

async function newFolder(): Promise<string> {
  const folder = await memoryFolder('processes');
  folders.push(folder);
  await putDatabase(folder.path);
  return folder.path;
}

const run = (dataDir: string, environment: Record<string, string> = {}): Program =>
  new Program(dataDir, { WEB_CONCURRENCY: '2', ...environment });

/** Starts the program with two worker processes on a database of its own. */
async function start(dataDir: string, redisUrl: string): Promise<void> {
  program = run(dataDir, { REDIS_URL: redisUrl, OPS_PORT: '0' });
  await program.started();
  await until(() => program.logged('listening').length === 1);
  connectAnew();
}

/** Connections go to the workers in turn. */
function connectAnew(): void {
  client.close();
  client = new Client(program.origin, program.key);
}

/** Ids of the worker processes that have come to serve so far. */
const workers = (): number[] => program.logged('worker ready').map(({ worker }) => worker as number);

const management = (): string => program.logged('listening')[0]?.['management'] as string;

/** Several at once take a connection each. */
async function burst(requests: number, path = '/v1/pets?limit=1'): Promise<Reply[]> {
  const replies: Reply[] = [];
  let begun = 0;
  const goOn = async (): Promise<void> => {
    while (begun++ < requests) replies.push(await client.get(path));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, goOn));
  return replies;
}

/** The value of a metric without labels, or with these. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${management()}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
}

describe('two processes', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await newFolder();
    await start(folder, redis.url);
    // Cold code takes long, too.
    for (let n = 0; n < WARM_UP; n++) {
      await burst(1);
      connectAnew();
    }
  });
  afterAll(() => program.end('SIGKILL'));

  const listed = 'petstore_http_request_duration_seconds_count{operation="listPets",status="200"}';

  it('are one in their metrics and their readiness', async () => {
    await burst(40 - WARM_UP);
    expect(await (await fetch(`${management()}/readyz`)).json()).toEqual({ status: 'ok' });
    expect(await metric('petstore_processes')).toBe(2);
    expect(await metric('petstore_ready')).toBe(1);
    expect(await metric(listed)).toBe(40);
    expect(await metric('petstore_rate_limit_decisions_total{outcome="admitted",subject="key"}')).toBe(40);
  });

  it('share one port, and admit exactly the plan of a key between them', async () => {
    const replies = await burst(120);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(60 - 40);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(100);
    await until(() => program.logged('request').length === 160);
    const served = new Set(program.logged('request').map(({ pid }) => pid));
    expect([...served].sort()).toEqual(workers().sort());
  });

  it('go on when one is killed: another one takes its place', async () => {
    const [killed = 0, survivor = 0] = workers();
    process.kill(killed, 'SIGKILL');
    await gone(killed);
    // Who was connected to it sees a broken connection; who connects anew is served.
    connectAnew();
    for (const { status } of await burst(10, '/livez')) expect(status).toBe(200);
    await until(() => workers().length === 3);
    expect(program.logged('worker died, replacing it')).toEqual([
      expect.objectContaining({ worker: killed, signal: 'SIGKILL' }),
    ]);
    connectAnew();
    // Requests for health are in no line.
    await burst(10, '/docs/theme.js');
    await until(() => program.logged('request').length === 170);
    const served = program.logged('request').slice(-10);
    expect(new Set(served.map(({ pid }) => pid))).toEqual(new Set([survivor, workers()[2]]));
    expect(await metric('petstore_processes')).toBe(2);
    expect(await (await fetch(`${management()}/readyz`)).json()).toEqual({ status: 'ok' });
  });

  it('go on when one hangs: it is killed after 30 s and replaced, and the other one is not', async () => {
    const [survivor = 0, frozen = 0] = workers().slice(-2);
    process.kill(frozen, 'SIGSTOP');
    await sleep(2_500);
    expect(await (await fetch(`${management()}/readyz`)).json()).toEqual({
      status: 'degraded',
      reasons: ['workers'],
    });
    expect(await metric('petstore_processes')).toBe(1);
    await until(() => workers().length === 4, 45_000);
    expect(program.logged('worker hangs, killing it')).toEqual([expect.objectContaining({ worker: frozen })]);
    expect(isAlive(frozen)).toBe(false);
    expect(isAlive(survivor)).toBe(true);
    expect(await metric('petstore_processes')).toBe(2);
  }, 60_000);

  it('are replaced one by one on SIGHUP, while every request is served', async () => {
    const before = workers().slice(-2);
    const statuses: (number | undefined)[] = [];
    const ask = async (): Promise<void> => {
      const once = new Client(program.origin);
      statuses.push(
        await once.get('/livez').then(
          ({ status }) => status,
          () => undefined,
        ),
      );
      once.close();
    };
    process.kill(program.pid, 'SIGHUP');
    const isReplaced = (): boolean => !before.some(isAlive) && workers().length === 6;
    const goOn = async (): Promise<void> => {
      while (!isReplaced() || statuses.length < 3_000) await ask();
    };
    await Promise.all(Array.from({ length: 8 }, goOn));
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(await metric('petstore_processes')).toBe(2);
  }, 60_000);

  it('end when the program is killed, and after another start finish what they are at', async () => {
    const key = program.key ?? '';
    // Two workers, and the database's supervisor.
    const children = await childrenOf(program.pid);
    expect(children).toEqual(expect.arrayContaining(workers().slice(-2)));
    await program.end('SIGKILL');
    for (const pid of children) await gone(pid);

    // The key has used up its minute in the other one.
    const empty = await startRedis();
    await start(folder, empty.url);
    expect(program.key).toBeUndefined();
    const sockets = await Promise.all([0, 1].map(() => beginToAdd(program.origin, key)));
    await sleep(100);
    const since = Date.now();
    const ended = program.end('SIGTERM');
    await sleep(300);
    for (const socket of sockets) expect(await finish(socket)).toMatch(/^HTTP\/1\.1 201 /);
    expect(await ended).toBe(0);
    expect(Date.now() - since).toBeLessThan(10_000);
    expect(workers().filter(isAlive)).toEqual([]);
    await empty.stop();
  });
});

describe('more than one process', () => {
  it('are refused without a Redis, in which their limits would be shared', async () => {
    program = run(await newFolder());
    expect(await program.end('SIGCONT')).toBe(1);
    expect(program.output).toBe(
      'WEB_CONCURRENCY is 2 and REDIS_URL is not set. Without it every process counts by itself, so that a key would get its plan 2 times: set REDIS_URL, or run one process.\n',
    );
  });

  it('are not started when one cannot serve, which the program says in one line', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as net.AddressInfo;
    program = run(await newFolder(), { REDIS_URL: redis.url, PORT: String(port), LOG_LEVEL: 'fatal' });
    expect(await program.end('SIGCONT')).toBe(1);
    other.close();
    expect(program.output).toBe(`bind EADDRINUSE 127.0.0.1:${port}\n`);
  });
});
