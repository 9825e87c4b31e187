import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectToRunning } from '@petstore/embedded-postgres';
import {
  memoryFolder,
  putDatabase,
  startRedis,
  type TemporaryFolder,
  type TestRedis,
} from '@petstore/test-servers';
import { Client, type Reply } from '../support/client.js';
import { crowd, reset, send } from '../hostile/hostile-client.js';
import { CONNECT, head } from '../hostile/hostile-requests.js';
import { managementOf, portOf } from '../hostile/service-vitals.js';
import { issueIn } from '../support/issue-in.js';
import { metricsOf } from '../support/metrics.js';
import { childrenOf, gone, isAlive } from '../support/process-tree.js';
import { Program } from '../support/program.js';
import { LIVE } from '../support/raw-connection.js';
import { until } from '../support/until.js';
import { whileShared } from '../support/while-shared.js';

/** Requests one by one, before many come at once: cold code takes long. */
const WARM_UP = 10;
/** Pause of a client that sends requests one after the other: workers are to start beside it. */
const PAUSE_MS = 10;
/** A guard alone: on a busy machine a worker takes long to start. */
const START_TIMEOUT_MS = 100_000;
/** How often a worker is killed. */
const DEATHS = 2;
const PEPPER = 'pepper-of-several-processes';

let folder: TemporaryFolder;
let redis: TestRedis;
let program: Program;
let client = new Client('http://127.0.0.1');

/** Starts the program with two worker processes on its database. */
async function start(): Promise<void> {
  program = new Program(folder.path, {
    ...{ WEB_CONCURRENCY: '2', REDIS_URL: redis.url, OPS_PORT: '0' },
    API_KEY_PEPPER: PEPPER,
  });
  await program.started();
  connectAnew();
}

/** Connections go to the workers in turn. */
function connectAnew(): void {
  client.close();
  client = new Client(program.origin, program.key);
}

beforeAll(async () => {
  [folder, redis] = await Promise.all([memoryFolder('processes'), startRedis()]);
  await putDatabase(folder.path);
  await start();
  for (let n = 0; n < WARM_UP; n++) {
    await client.get('/v1/pets?limit=1');
    connectAnew();
  }
});
afterAll(async () => {
  client.close();
  await program.end('SIGKILL');
  await redis.stop();
  await folder.remove();
});

/** Ids of the worker processes that have come to serve so far. */
const workers = (): number[] => program.logged('worker ready').map(({ worker }) => worker as number);

const serving = (): Set<unknown> => new Set(program.logged('request').map(({ pid }) => pid));

/** All at once: several take a connection each. */
const burst = (requests: number, key = program.key): Promise<Reply[]> =>
  Promise.all(Array.from({ length: requests }, () => client.get('/v1/pets?limit=1', { key })));

/** The status of a response to a request on a connection of its own. */
async function ask(): Promise<number | undefined> {
  const own = new Client(program.origin);
  const reply = await own.get('/livez').catch(() => undefined);
  own.close();
  return reply?.status;
}

/** Sends requests until `work` has ended; all of them are served. */
async function expectServedDuring(work: Promise<unknown>): Promise<void> {
  const statuses: (number | undefined)[] = [];
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  const goOn = async (): Promise<void> => {
    while (!isOver) {
      statuses.push(await ask());
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all([over, goOn(), goOn()]);
  expect(statuses).toEqual(statuses.map(() => 200));
}

/** Waits for a value of a metric without labels, or with these: on a busy machine a worker can miss the time for its part. */
const untilMetric = (name: string, value: number): Promise<void> =>
  until(async () => (await metricsOf(managementOf(program))).get(name) === value);

/** Waits for a report on the readiness, for which workers have a limit of time, too. */
const untilReport = (report: object): Promise<void> =>
  until(
    async () => (await (await fetch(`${managementOf(program)}/readyz`)).text()) === JSON.stringify(report),
  );

describe('two processes', () => {
  it('are one in their metrics and their readiness', async () => {
    await burst(40 - WARM_UP);
    await untilReport({ status: 'ok' });
    await untilMetric('petstore_processes', 2);
    await untilMetric('petstore_ready', 1);
    const listed = 'petstore_http_request_duration_seconds_count{operation="listPets",status="200"}';
    await untilMetric(listed, 40);
    await untilMetric('petstore_rate_limit_decisions_total{outcome="admitted",subject="key"}', 40);
  });

  it('share one port, and admit exactly the plan of a key between them', async () => {
    const url = (await connectToRunning(folder.path)) ?? '';
    await whileShared(program, async () => {
      const key = await issueIn(url, PEPPER, { plan: 'free' });
      const replies = await burst(160, key);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(100);
    });
    await until(() => program.logged('request').length >= 40 + 160);
    expect(serving()).toEqual(new Set(workers()));
  });

  it('live through CONNECT and resets, and serve other clients all the while', async () => {
    const pause = (): Promise<void> => sleep(50);
    const { origin } = program;
    await expectServedDuring(
      Promise.all([
        crowd(portOf(origin), 20, () => [send(CONNECT), reset, pause], 1),
        crowd(portOf(origin), 20, () => [send(head('GET', '/livez') + CONNECT), reset, pause], 1),
      ]),
    );
    expect(workers()).toHaveLength(2);
    expect(program.logged('worker died, replacing it')).toEqual([]);
  });

  it('go on and become two again, though each one is killed as soon as it serves', async () => {
    const killed: number[] = [];
    while (killed.length < DEATHS) {
      const newest = workers().at(-1) ?? 0;
      killed.push(newest);
      process.kill(newest, 'SIGKILL');
      await gone(newest);
      await until(() => program.logged('worker died, replacing it').length === killed.length);
      await expectServedDuring(until(() => workers().length === 2 + killed.length, START_TIMEOUT_MS));
    }
    expect(program.logged('worker died, replacing it')).toEqual(
      killed.map((worker) => expect.objectContaining({ worker, signal: 'SIGKILL' })),
    );
    await untilMetric('petstore_processes', 2);
    await untilReport({ status: 'ok' });
  }, 300_000);

  // What follows when it does not go on is tested in worker-pool.spec.ts.
  it('tell that one hangs', async () => {
    const frozen = workers().at(-1) ?? 0;
    process.kill(frozen, 'SIGSTOP');
    await untilReport({ status: 'degraded', reasons: ['workers'] });
    await untilMetric('petstore_processes', 1);
    process.kill(frozen, 'SIGCONT');
    await untilReport({ status: 'ok' });
  });

  it('are replaced one by one on SIGHUP, while every request is served', async () => {
    const before = [workers()[0] ?? 0, workers().at(-1) ?? 0];
    process.kill(program.pid, 'SIGHUP');
    const isReplaced = (): boolean => !before.some(isAlive) && workers().length === 4 + DEATHS;
    await expectServedDuring(until(isReplaced, 2 * START_TIMEOUT_MS));
    await untilMetric('petstore_processes', 2);
  }, 300_000);

  it('end when the program is killed, and after another start finish what they are at', async () => {
    const key = program.key ?? '';
    // Two workers, and the database's supervisor.
    const children = await childrenOf(program.pid);
    expect(children).toEqual(expect.arrayContaining(workers().slice(-2)));
    await program.end('SIGKILL');
    for (const pid of children) await gone(pid);

    await start();
    expect(program.key).toBeUndefined();
    const body = JSON.stringify({ name: 'Late', categoryId: 1 });
    const sockets = Array.from({ length: 2 }, () => net.connect(portOf(program.origin), '127.0.0.1'));
    for (const socket of sockets) {
      socket.write(
        `${LIVE}POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      );
      // The first response says that the connection is a worker's by now.
      await once(socket, 'data');
    }
    const ended = program.end('SIGTERM');
    await until(() => program.logged('shutting down').length === 3);
    for (const socket of sockets) {
      socket.write(body.slice(5));
      const [reply] = (await once(socket, 'data')) as [Buffer];
      expect(reply.toString()).toMatch(/^HTTP\/1\.1 201 /);
    }
    expect(await ended).toBe(0);
    expect(workers().filter(isAlive)).toEqual([]);
  });
});
