import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { Client } from '../client.js';
import {
  type AttackedService,
  type Battlefield,
  prepareBattlefield,
  vitalsAtRest,
} from './attacked-service.js';
import { hostileBehaviours } from './hostile-behaviour.js';
import {
  close,
  crowd,
  flood,
  halfClose,
  type HostileConnection,
  reset,
  send,
  silence,
  stopReading,
  untilAnswered,
  untilEnded,
} from './hostile-client.js';
import {
  bearer,
  chunkABytes,
  CHUNKED,
  head,
  hostileRequests,
  JSON_TYPE,
  LAST_CHUNK,
} from './hostile-requests.js';
import { Rounds } from './round.js';
import { hostileSeed } from './seed.js';
import { UnreadAnswers } from './unread-answers.js';

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
/** A file of the docs that is larger than what the system takes in for a connection at once. */
const LARGE_FILE = '/docs/swagger-ui-bundle.js';

const seed = hostileSeed();
let field: Battlefield;
let unread: UnreadAnswers | undefined;
let rounds: Rounds | undefined;
/** Whether the service has come through all its rounds; one that has not is replaced. */
let unharmed = false;

beforeAll(async () => {
  field = await prepareBattlefield();
  unread = await UnreadAnswers.begin(field);
});
afterAll(async () => {
  unread?.end();
  await rounds?.end();
  await field.close();
});

/** Plays one round. */
async function play(attack: (service: AttackedService) => Promise<unknown>): Promise<void> {
  if (!unharmed) {
    await rounds?.end();
    rounds = await Rounds.begin(field, ordinaryUse);
  }
  unharmed = false;
  await rounds?.play(attack);
  unharmed = true;
}

/** Everything that the service does is done now and then, by many at once. */
async function ordinaryUse({ origin, port }: AttackedService): Promise<void> {
  const client = new Client(origin, field.key);
  for (let i = 0; i < 10; i++) {
    await Promise.all(Array.from({ length: 60 }, () => client.get('/v1/pets?limit=100')));
    await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => client.post('/v1/pets', { name: `Pet ${n}`, categoryId: 1 })),
      ...[LARGE_FILE, '/openapi.json', '/readyz', '/v1/nothing'].map((path) => client.get(path)),
    ]);
  }
  client.close();
  await crowd(port, 200, () => [send(head('GET', '/v1/pets')), untilAnswered(1_000)]);
}

/** The client with the key that is not the healthy one's. */
const post = (...fields: readonly string[]): string =>
  head('POST', '/v1/pets', bearer(field.hostileKey), JSON_TYPE, ...fields);

const list = (limit: number): string => head('GET', `/v1/pets?limit=${limit}`, bearer(field.hostileKey));

/** How many of these connections the server has not ended. */
const kept = (connections: readonly HostileConnection[]): number =>
  connections.filter(({ isEnded }) => !isEnded).length;

describe('a service that is attacked goes on as if nothing were', () => {
  it('by CONNECT and a reset at once', () =>
    play(({ port }) => crowd(port, 300, () => [send(CONNECT), reset], 20)));

  it('by CONNECT behind a request that is being worked on, and a reset', () =>
    play(({ port }) => crowd(port, 120, () => [send(list(100) + CONNECT + CONNECT), reset], 20)));

  it('by the same at the management listener', () =>
    play(async ({ managementPort }) => {
      const metrics = head('GET', '/metrics');
      await crowd(managementPort, 60, () => [send(CONNECT), reset], 10);
      await crowd(managementPort, 40, () => [send(head('GET', '/readyz') + CONNECT), reset], 10);
      await crowd(managementPort, 40, () => [send(metrics + head('GET', '/livez').repeat(20)), reset], 4);
      await crowd(managementPort, 20, () => [send(metrics.slice(0, -2)), halfClose, silence(100)], 10);
    }));

  it.each([
    ['OPTIONS', () => head('OPTIONS', '/v1/pets')],
    ['lists', () => list(100)],
    ['refused requests', () => head('GET', '/v1/pets')],
    ['health', () => head('GET', '/readyz')],
  ])('by a hundred pipelined requests whose client goes away: %s', (_what, request) =>
    play(async ({ port }) => {
      for (const leave of [reset, close, halfClose]) {
        await crowd(port, 12, () => [send(request().repeat(100)), silence(4), leave, silence(50)], 3);
      }
    }),
  );

  it('by pipelined requests for a large file whose answers are not read', () =>
    play(({ port }) => {
      const request = head('GET', LARGE_FILE);
      const packet = request.repeat(Math.floor((64 * 1024) / request.length));
      return crowd(port, 6, () => [stopReading, send(packet), silence(1_500)]);
    }));

  it('by CONNECT behind answers that are not read, whose clients go away', () =>
    play(async ({ port }) => {
      const packet = head('GET', LARGE_FILE).repeat(10) + CONNECT;
      for (const leave of [close, reset, halfClose]) {
        await crowd(port, 10, () => [stopReading, send(packet), silence(300), leave, silence(100)]);
      }
    }));

  it.each([
    ['the answer of health', () => head('GET', '/livez', CHUNKED)],
    ['a 401', () => head('POST', '/v1/pets', JSON_TYPE, CHUNKED)],
    ['a 404', () => head('POST', '/v1/nothing', bearer(field.hostileKey), CHUNKED)],
    ['a 415', () => head('POST', '/v1/pets', bearer(field.hostileKey), CHUNKED)],
  ])('by bodies that go on without end after %s', (_what, request) =>
    play(async ({ port }) => {
      const piece = chunkABytes(Buffer.alloc(1_000, 'a'));
      const connections = await crowd(port, 16, () => [
        send(request()),
        untilAnswered(1_000),
        flood(piece, 4_000),
        untilEnded(1_000),
      ]);
      expect(kept(connections)).toBe(0);
      for (const { text } of connections) if (text !== '') expect(text).toMatch(/^Connection: close\r$/im);
    }),
  );

  it('by a body of empty gzip members without end, a chunk a byte', () =>
    play(async ({ port }) => {
      const piece = chunkABytes(Buffer.concat(Array.from({ length: 50 }, () => gzipSync(''))));
      const connections = await crowd(port, 4, () => [
        send(post(CHUNKED, 'Content-Encoding: gzip')),
        flood(piece, 7_000),
        untilEnded(500),
      ]);
      expect(kept(connections)).toBe(0);
    }));

  it('by bodies within the limit, a chunk a byte', () =>
    play(async ({ port }) => {
      const body = Buffer.from(`{"name":"a","categoryId":1${' '.repeat(16_000)}}`);
      const packet = Buffer.concat([Buffer.from(post(CHUNKED)), chunkABytes(body), LAST_CHUNK]);
      const connections = await crowd(port, 40, () => [send(packet), untilAnswered(5_000)], 4);
      for (const { statuses } of connections) expect([[201], [400], [413]]).toContainEqual(statuses);
    }));

  it('by 270 bodies that stop after four bytes', () =>
    play(async ({ port }) => {
      const packet = `${post('Content-Length: 100')}{"na`;
      const connections = await crowd(port, 270, () => [send(packet), untilEnded(8_500)]);
      expect(kept(connections)).toBe(0);
    }));

  it('by digits without end in a number', () =>
    play(async ({ port }) => {
      const body = gzipSync(`{"name":"a","categoryId":1${'0'.repeat(16_000)}1}`);
      const packet = Buffer.concat([
        Buffer.from(post('Content-Encoding: gzip', `Content-Length: ${body.length}`)),
        body,
      ]);
      const connections = await crowd(port, 40, () => [send(packet), untilAnswered(5_000)], 4);
      for (const { statuses } of connections) expect(statuses).toEqual([400]);
    }));

  it('by a body that is asked for and never sent', () =>
    play(async ({ port }) => {
      const asking = post('Expect: 100-continue', 'Content-Length: 30');
      await crowd(port, 100, () => [send(asking), untilAnswered(200), reset], 20);
      await crowd(port, 100, () => [send(asking), reset], 20);
      await crowd(
        port,
        60,
        () => [send(asking), untilAnswered(200), send('{"na'), halfClose, silence(50)],
        20,
      );
    }));

  it.each([
    ['absolute targets', () => [head('OPTIONS', 'http://x/v1/pets'), head('GET', 'http://x/v1/pets')]],
    [
      'HTTP/1.0',
      () => ['GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', 'GET /v1/pets HTTP/1.0\r\n\r\n'],
    ],
    [
      'upgrades',
      () =>
        ['h2c', 'websocket', 'TLS/1.0'].map((to) =>
          head('GET', '/v1/pets', 'Connection: Upgrade', `Upgrade: ${to}`),
        ),
    ],
  ])('by %s, and a reset before, within and after the answer', (_what, requests) =>
    play(async ({ port }) => {
      for (const request of requests()) {
        await crowd(port, 40, () => [send(request), reset], 20);
        await crowd(port, 40, () => [send(request.repeat(20)), untilAnswered(200), reset], 20);
        await crowd(port, 20, () => [send(`${request}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`), silence(50), reset]);
      }
    }),
  );

  it('by connections that come and go, and some that say nothing', () =>
    play(async ({ port }) => {
      const idle = crowd(port, 300, () => [silence(1_000)]);
      await crowd(port, 600, () => [reset], 20);
      await crowd(port, 300, () => [halfClose, silence(20)], 20);
      await idle;
    }));

  // Three rounds tell apart what a later one finds from what an earlier one left behind.
  it.each([0, 1, 2])(`by whatever comes to a mind made of HOSTILE_SEED=${seed}, round %i`, (round) =>
    play(({ port }) => {
      const behaviours = hostileBehaviours(hostileRequests(field.hostileKey), seed + round, 160);
      return crowd(port, behaviours.length, (index) => behaviours[index] ?? [], 20);
    }),
  );

  it(`by the same at the management listener, HOSTILE_SEED=${seed}`, () =>
    play(({ managementPort }) => {
      const behaviours = hostileBehaviours(hostileRequests(field.hostileKey), seed, 100);
      return crowd(managementPort, behaviours.length, (index) => behaviours[index] ?? [], 10);
    }));
});

describe('a listener that one address fills', () => {
  const most = 100;

  /** A request on a connection of its own; its status, or what went wrong. */
  const askFrom = (localAddress: string, origin: string, path: string): Promise<number | string> =>
    new Promise((resolve) => {
      const headers = { Authorization: `Bearer ${field.key}` };
      const request = http.get(`${origin}${path}`, { agent: false, localAddress, headers }, (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode ?? 0);
        });
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code ?? error.message);
      });
    });

  // Elsewhere the loopback interface has one address only.
  (process.platform === 'linux' ? it.each : it.skip.each)([
    ['that say nothing', []],
    ['that have been answered once', [send(head('GET', '/livez')), untilAnswered(1_000)]],
  ])('has room for others, and for probes: connections %s', async (_what, steps) => {
    const service = await field.start({
      MAX_CONNECTIONS: String(most),
      MAX_CONNECTIONS_PER_ADDRESS: String(10 * most),
    });
    const left = new AbortController();
    const held = crowd(service.port, 2 * most, () => [...steps, () => once(left.signal, 'abort')]);
    await vitalsAtRest(service, ({ sockets }) => sockets === most, 5_000);
    const answers = [];
    for (let i = 0; i < 20; i++) {
      answers.push(await askFrom('127.0.0.2', service.origin, '/v1/pets?limit=1'));
      answers.push(await askFrom('127.0.0.3', service.origin, '/readyz'));
    }
    expect(answers).toEqual(answers.map(() => 200));
    left.abort();
    await held;
    const { inFlight, sockets } = await vitalsAtRest(service, (now) => now.sockets === 0, 5_000);
    expect({ inFlight, sockets }).toEqual({ inFlight: 0, sockets: 0 });
    await service.end('SIGKILL');
  });
});

describe('an answer that is never read', () => {
  it('is given up after 30 s, with all that waits behind it', () => unread?.expectGivenUp(), 60_000);
});
