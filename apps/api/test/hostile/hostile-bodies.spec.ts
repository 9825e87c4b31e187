import { describe, expect, it } from '@jest/globals';
import { AttackedRounds } from './attacked-rounds.js';
import {
  crowd,
  flood,
  halfClose,
  type HostileConnection,
  reset,
  send,
  silence,
  untilResponse,
  untilEnded,
} from './hostile-client.js';
import { bearer, chunkABytes, CHUNKED, head, JSON_TYPE, LAST_CHUNK } from './hostile-requests.js';

const attacked = new AttackedRounds();

/** How many of these connections the server has not ended. */
const kept = (connections: readonly HostileConnection[]): number =>
  connections.filter(({ isEnded }) => !isEnded).length;

/** Most milliseconds for others beside bodies in one-byte chunks, each of which takes the process some 20 ms (SECURITY.md). */
const BESIDE_CHUNKS = 250;

describe('a service that is attacked with bodies goes on as if nothing were', () => {
  it.each([
    ['the response of health', () => head('GET', '/livez', CHUNKED)],
    ['a 401', () => head('POST', '/v1/pets', JSON_TYPE, CHUNKED)],
    ['a 404', () => head('POST', '/v1/nothing', bearer(attacked.field.hostileKey), CHUNKED)],
    ['a 415', () => head('POST', '/v1/pets', bearer(attacked.field.hostileKey), CHUNKED)],
  ])('by bodies that go on without end after %s', (_what, request) =>
    attacked.play(async ({ port }) => {
      const piece = chunkABytes(Buffer.alloc(1_000, 'a'));
      const connections = await crowd(port, 16, () => [
        send(request()),
        untilResponse(1_000),
        flood(piece, 4_000),
        untilEnded(1_000),
      ]);
      expect(kept(connections)).toBe(0);
      for (const { text } of connections) if (text !== '') expect(text).toMatch(/^Connection: close\r$/im);
    }),
  );

  it('by bodies that claim to be compressed, without end, a chunk a byte', () =>
    attacked.play(async ({ port }) => {
      const piece = chunkABytes(Buffer.alloc(1_000, 'a'));
      const connections = await crowd(port, 4, () => [
        send(attacked.post(CHUNKED, 'Content-Encoding: gzip')),
        flood(piece, 7_000),
        untilEnded(500),
      ]);
      expect(kept(connections)).toBe(0);
    }, BESIDE_CHUNKS));

  it('by bodies within the limit, a chunk a byte', () =>
    attacked.play(async ({ port }) => {
      const body = Buffer.from(`{"name":"a","categoryId":1${' '.repeat(16_000)}}`);
      const packet = Buffer.concat([Buffer.from(attacked.post(CHUNKED)), chunkABytes(body), LAST_CHUNK]);
      const connections = await crowd(port, 40, () => [send(packet), untilResponse(5_000)], 2);
      for (const { statuses } of connections) expect(statuses).toEqual([201]);
    }, BESIDE_CHUNKS));

  it('by 270 bodies that stop after four bytes', () =>
    attacked.play(async ({ port }) => {
      const packet = `${attacked.post('Content-Length: 100')}{"na`;
      const connections = await crowd(port, 270, () => [send(packet), untilEnded(8_500)]);
      expect(kept(connections)).toBe(0);
    }));

  it('by digits without end in a number', () =>
    attacked.play(async ({ port }) => {
      const body = `{"name":"a","categoryId":1${'0'.repeat(16_000)}1}`;
      const packet = attacked.post(`Content-Length: ${body.length}`) + body;
      const connections = await crowd(port, 40, () => [send(packet), untilResponse(5_000)], 4);
      for (const { statuses } of connections) expect(statuses).toEqual([400]);
    }));

  it('by a body that is asked for and never sent', () =>
    attacked.play(async ({ port }) => {
      const asking = attacked.post('Expect: 100-continue', 'Content-Length: 30');
      await crowd(port, 100, () => [send(asking), untilResponse(200), reset], 20);
      await crowd(port, 100, () => [send(asking), reset], 20);
      await crowd(
        port,
        60,
        () => [send(asking), untilResponse(200), send('{"na'), halfClose, silence(50)],
        20,
      );
    }));
});
