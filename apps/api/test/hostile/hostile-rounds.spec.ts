import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { AttackedRounds, LARGE_FILE } from './attacked-rounds.js';
import { hostileBehaviours } from './hostile-behaviour.js';
import {
  close,
  crowd,
  halfClose,
  reset,
  send,
  silence,
  stopReading,
  untilResponse,
} from './hostile-client.js';
import { bearer, head, hostileRequests } from './hostile-requests.js';
import { hostileSeed } from './seed.js';
import { UnreadResponses } from './unread-responses.js';

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';

const seed = hostileSeed();
let unread: UnreadResponses | undefined;

// Before the field closes, which the next line sees to.
afterAll(() => unread?.end());
const attacked = new AttackedRounds();

beforeAll(async () => {
  unread = await UnreadResponses.begin(attacked.field);
});

const list = (limit: number): string =>
  head('GET', `/v1/pets?limit=${limit}`, bearer(attacked.field.hostileKey));

describe('a service that is attacked goes on as if nothing were', () => {
  it('by CONNECT and a reset at once', () =>
    attacked.play(({ port }) => crowd(port, 300, () => [send(CONNECT), reset], 20)));

  it('by CONNECT behind a request that is being worked on, and a reset', () =>
    attacked.play(({ port }) => crowd(port, 120, () => [send(list(100) + CONNECT + CONNECT), reset], 20)));

  it('by the same at the management listener', () =>
    attacked.play(async ({ managementPort }) => {
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
  ])('by a hundred pipelined requests whose client disconnects: %s', (_what, request) =>
    attacked.play(async ({ port }) => {
      for (const leave of [reset, close, halfClose]) {
        await crowd(port, 12, () => [send(request().repeat(100)), silence(4), leave, silence(50)], 3);
      }
    }),
  );

  it('by pipelined requests for a large file whose responses are not read', () =>
    attacked.play(({ port }) => {
      const request = head('GET', LARGE_FILE);
      const packet = request.repeat(Math.floor((64 * 1024) / request.length));
      return crowd(port, 6, () => [stopReading, send(packet), silence(1_500)]);
    }));

  it('by CONNECT behind responses that are not read, whose clients disconnect', () =>
    attacked.play(async ({ port }) => {
      const packet = head('GET', LARGE_FILE).repeat(10) + CONNECT;
      for (const leave of [close, reset, halfClose]) {
        await crowd(port, 10, () => [stopReading, send(packet), silence(300), leave, silence(100)]);
      }
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
  ])('by %s, and a reset before, within and after the response', (_what, requests) =>
    attacked.play(async ({ port }) => {
      for (const request of requests()) {
        await crowd(port, 40, () => [send(request), reset], 20);
        await crowd(port, 40, () => [send(request.repeat(20)), untilResponse(200), reset], 20);
        await crowd(port, 20, () => [send(`${request}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`), silence(50), reset]);
      }
    }),
  );

  it('by connections that come and go, and some that say nothing', () =>
    attacked.play(async ({ port }) => {
      const idle = crowd(port, 300, () => [silence(1_000)]);
      await crowd(port, 600, () => [reset], 20);
      await crowd(port, 300, () => [halfClose, silence(20)], 20);
      await idle;
    }));

  // Three rounds tell apart what a later one finds from what an earlier one left behind.
  it.each([0, 1, 2])(`by whatever comes to a mind made of HOSTILE_SEED=${seed}, round %i`, (round) =>
    attacked.play(({ port }) => {
      const behaviours = hostileBehaviours(hostileRequests(attacked.field.hostileKey), seed + round, 160);
      return crowd(port, behaviours.length, (index) => behaviours[index] ?? [], 20);
    }),
  );

  it(`by the same at the management listener, HOSTILE_SEED=${seed}`, () =>
    attacked.play(({ managementPort }) => {
      const behaviours = hostileBehaviours(hostileRequests(attacked.field.hostileKey), seed, 100);
      return crowd(managementPort, behaviours.length, (index) => behaviours[index] ?? [], 10);
    }));
});

describe('a response that is never read', () => {
  it('is given up after 30 s, with all that waits behind it', () => unread?.expectGivenUp(), 60_000);
});
