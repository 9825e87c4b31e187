import { describe, expect, it } from '@jest/globals';
import { hostileBehaviours } from '../hostile/hostile-behaviour.js';
import {
  close,
  crowd,
  drip,
  flood,
  halfClose,
  reset,
  send,
  silence,
  stopReading,
  untilEnded,
  untilResponse,
} from '../hostile/hostile-client.js';
import {
  bearer,
  chunkABytes,
  CHUNKED,
  CONNECT,
  head,
  hostileRequests,
  JSON_TYPE,
  LARGE_FILE,
  LAST_CHUNK,
} from '../hostile/hostile-requests.js';
import { Rounds } from '../hostile/rounds.js';
import { hostileSeed } from '../hostile/seed.js';

const seed = hostileSeed();
const rounds = new Rounds();

const list = (limit: number): string => head('GET', `/v1/pets?limit=${limit}`, bearer(rounds.key));

/** What nobody can foresee, from one client after the other. */
function unforeseen(port: number, round: number, count: number): Promise<unknown> {
  const behaviours = hostileBehaviours(hostileRequests(rounds.key), seed + round, count);
  return crowd(port, count, (index) => behaviours[index] ?? [], 40);
}

describe('a service that is attacked goes on as if nothing were', () => {
  it('by CONNECT, alone or behind a request that is being worked on, and a reset', () =>
    rounds.play(async () => {
      await crowd(rounds.port, 200, () => [send(CONNECT), reset], 20);
      await crowd(rounds.port, 120, () => [send(list(100) + CONNECT + CONNECT), reset], 20);
    }));

  it(`by the same and more at the management listener, HOSTILE_SEED=${seed}`, () =>
    rounds.play(async () => {
      const { managementPort: port } = rounds;
      const metrics = head('GET', '/metrics');
      await crowd(port, 60, () => [send(CONNECT), reset], 10);
      await crowd(port, 40, () => [send(head('GET', '/readyz') + CONNECT), reset], 10);
      await crowd(port, 40, () => [send(metrics + head('GET', '/livez').repeat(20)), reset], 4);
      await crowd(port, 20, () => [send(metrics.slice(0, -2)), halfClose, silence(100)], 10);
      await unforeseen(port, 0, 100);
    }));

  it('by a hundred pipelined requests whose client disconnects', () =>
    rounds.play(async () => {
      const requests = [
        head('OPTIONS', '/v1/pets'),
        list(100),
        head('GET', '/v1/pets'),
        head('GET', '/readyz'),
      ];
      const attack = async (request: string): Promise<void> => {
        for (const leave of [reset, close, halfClose])
          await crowd(rounds.port, 9, () => [send(request.repeat(100)), silence(4), leave, silence(50)], 3);
      };
      await Promise.all(requests.map(attack));
    }));

  it('by pipelined requests for a large file whose responses are not read', () =>
    rounds.play(() => {
      const request = head('GET', LARGE_FILE);
      const packet = request.repeat(Math.floor((64 * 1024) / request.length));
      return crowd(rounds.port, 6, () => [stopReading, send(packet), silence(1_500)]);
    }));

  it('by CONNECT behind responses that are not read, whose clients disconnect', () =>
    rounds.play(async () => {
      const packet = head('GET', LARGE_FILE).repeat(10) + CONNECT;
      for (const leave of [close, reset, halfClose])
        await crowd(rounds.port, 10, () => [stopReading, send(packet), silence(300), leave, silence(100)]);
    }));

  it('by absolute targets, HTTP/1.0 and upgrades, and a reset before, within and after the response', () =>
    rounds.play(async () => {
      const requests = [
        head('OPTIONS', 'http://x/v1/pets'),
        head('GET', 'http://x/v1/pets'),
        'GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
        'GET /v1/pets HTTP/1.0\r\n\r\n',
        ...['h2c', 'websocket', 'TLS/1.0'].map((to) =>
          head('GET', '/v1/pets', 'Connection: Upgrade', `Upgrade: ${to}`),
        ),
      ];
      const attack = async (request: string): Promise<void> => {
        const tunnel = `${request}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`;
        await crowd(rounds.port, 40, () => [send(request), reset], 4);
        await crowd(rounds.port, 20, () => [send(request.repeat(20)), untilResponse(200), reset], 4);
        await crowd(rounds.port, 20, () => [send(tunnel), silence(50), reset], 10);
      };
      await Promise.all(requests.map(attack));
    }));

  it('by connections that come and go, and some that say nothing or a byte at a time', () =>
    rounds.play(async () => {
      const idle = crowd(rounds.port, 300, () => [silence(1_000)]);
      const slow = crowd(rounds.port, 300, () => [
        send('POST /v1/pets HTTP/1.1\r\nX-Slow: '),
        drip('aaaaaaaa', 100),
      ]);
      await crowd(rounds.port, 600, () => [reset], 20);
      await crowd(rounds.port, 300, () => [halfClose, silence(20)], 20);
      await Promise.all([idle, slow]);
    }));

  // Two rounds tell apart what the later one finds from what the earlier one left behind.
  it.each([0, 1])(`by whatever comes to a mind made of HOSTILE_SEED=${seed}, round %i`, (round) =>
    rounds.play(() => unforeseen(rounds.port, round, 120)),
  );

  it('by bodies that go on without end after the response', () =>
    rounds.play(async () => {
      const key = bearer(rounds.key);
      const requests = [
        head('GET', '/livez', CHUNKED),
        head('POST', '/v1/pets', JSON_TYPE, CHUNKED),
        head('POST', '/v1/nothing', key, CHUNKED),
        head('POST', '/v1/pets', key, CHUNKED),
        rounds.post(CHUNKED, 'Content-Encoding: gzip'),
      ];
      const piece = chunkABytes(Buffer.alloc(1_000, 'a'));
      const connections = await crowd(rounds.port, 4 * requests.length, (index) => [
        ...[send(requests[index % requests.length] ?? ''), untilResponse(1_000)],
        ...[flood(piece, 4_000), untilEnded(4_000)],
      ]);
      expect(connections.filter(({ isEnded }) => !isEnded)).toEqual([]);
      for (const { text } of connections) if (text !== '') expect(text).toMatch(/^Connection: close\r$/im);
    }));

  it('by bodies within the limit, a chunk a byte', () =>
    rounds.play(async () => {
      const body = Buffer.from(`{"name":"a","categoryId":1${' '.repeat(16_000)}}`);
      const packet = Buffer.concat([Buffer.from(rounds.post(CHUNKED)), chunkABytes(body), LAST_CHUNK]);
      const connections = await crowd(rounds.port, 20, () => [send(packet), untilResponse(20_000)], 2);
      for (const each of connections) expect(each.statuses()).toEqual([201]);
    }));

  // Bodies that stop: requests/request-body.spec.ts, where nothing else waits for them.
  it('by bodies that are never sent, and digits without end', () =>
    rounds.play(async () => {
      const { port } = rounds;
      const asking = rounds.post('Expect: 100-continue', 'Content-Length: 30');
      await crowd(port, 100, () => [send(asking), untilResponse(200), reset], 20);
      await crowd(port, 100, () => [send(asking), reset], 20);
      const partly = [send(asking), untilResponse(200), send('{"na'), halfClose, silence(50)];
      await crowd(port, 60, () => partly, 20);
      const body = `{"name":"a","categoryId":1${'0'.repeat(16_000)}1}`;
      const packet = rounds.post(`Content-Length: ${body.length}`) + body;
      const refused = await crowd(port, 40, () => [send(packet), untilResponse(20_000)], 4);
      for (const each of refused) expect(each.statuses()).toEqual([400]);
    }));
});
