import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { createMessageClasses } from '../fast-paths/express-prototypes.js';
import { type CountedRequest, hasTooManyPieces, MOST_BODY_PIECES, TOO_MANY_PIECES } from './body-pieces.js';

let server: Server;
let told = 0;
const requests: CountedRequest[] = [];

beforeAll(async () => {
  server = createServer(createMessageClasses(express(), {}), (request, response) => {
    requests.push(request as CountedRequest);
    request.on(TOO_MANY_PIECES, () => told++);
    request.resume().on('end', () => response.end(String(hasTooManyPieces(request))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

/** Sends bodies in chunks of one byte, all in one packet. @returns the bodies of the responses */
async function post(...counts: number[]): Promise<string[]> {
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  const bodies = counts.map((count) => {
    const chunks = '1\r\na\r\n'.repeat(count);
    return `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
  });
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString()));
  socket.end(bodies.join(''));
  await once(socket, 'close');
  return text.match(/^(?:true|false)/gm) ?? [];
}

describe('the pieces of a body', () => {
  it('are counted up to the limit, by node’s own parser', async () => {
    expect(await post(MOST_BODY_PIECES)).toEqual(['false']);
    expect(requests.at(-1)?.pieces).toBe(MOST_BODY_PIECES);
    expect(await post(MOST_BODY_PIECES + 1)).toEqual(['true']);
  });

  it('are passed over beyond it: the parser tells nobody of them, and each request is told once', async () => {
    told = 0;
    expect(await post(5_000)).toEqual(['true']);
    // Node hands the callback over with its first piece beyond the limit and is not asked again.
    expect(requests.at(-1)?.pieces).toBe(MOST_BODY_PIECES + 1);
    expect(told).toBe(1);
  });

  it('of the next request in the same packet are counted anew', async () => {
    expect(await post(5_000, 3, 5_000, 3)).toEqual(['true', 'false', 'true', 'false']);
    expect(requests.slice(-4).map(({ pieces }: IncomingMessage & { pieces: number }) => pieces)).toEqual([
      MOST_BODY_PIECES + 1,
      3,
      MOST_BODY_PIECES + 1,
      3,
    ]);
  });
});
