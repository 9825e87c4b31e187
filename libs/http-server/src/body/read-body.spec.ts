import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiError } from '../errors/api-error.js';
import { readBody } from './read-body.js';

const MOST = 100;

let server: Server;
/** How long the server waits before it reads, in milliseconds. */
let waitMs = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    const read = async (): Promise<string> => {
      await sleep(waitMs);
      return (await readBody(request, MOST)).toString();
    };
    read().then(
      (text) => response.end(`body ${text}.`),
      (error: unknown) => response.end(`refused ${(error as ApiError).code}.`),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

/** What the server makes of a request that is sent in these parts. */
async function post(...parts: string[]): Promise<string> {
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString()));
  for (const [index, part] of parts.entries()) {
    if (index > 0) await sleep(20);
    socket.write(part);
  }
  while (!/(?:body|refused) .*\./s.test(text)) await sleep(5);
  socket.destroy();
  return /(?:body|refused) .*\./s.exec(text)?.[0] ?? '';
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const withLength = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

describe.each([
  ['has arrived', 50],
  ['is still arriving', 0],
])('a body that %s when it is read', (_when, ms) => {
  it.each<[string, string[], string]>([
    ['in one chunk', [`${CHUNKED}${chunk('abc')}${chunk('')}`], 'body abc.'],
    ['in several chunks', [`${CHUNKED}${chunk('a')}${chunk('bc')}${chunk('d')}${chunk('')}`], 'body abcd.'],
    ['in two packets', [`${withLength(6)}abc`, 'def'], 'body abcdef.'],
    ['empty', [withLength(0)], 'body .'],
    ['without chunks', [`${CHUNKED}${chunk('')}`], 'body .'],
    [
      'as large as it may be',
      [`${CHUNKED}${chunk('x'.repeat(60))}${chunk('y'.repeat(40))}${chunk('')}`],
      `body ${'x'.repeat(60)}${'y'.repeat(40)}.`,
    ],
    [
      'too large',
      [`${CHUNKED}${chunk('x'.repeat(60))}${chunk('y'.repeat(41))}${chunk('')}`],
      'refused payload_too_large.',
    ],
    ['too large by its length', [withLength(101)], 'refused payload_too_large.'],
  ])('is read whole, or refused: %s', async (_how, parts, result) => {
    waitMs = ms;
    expect(await post(...parts)).toBe(result);
  });
});
