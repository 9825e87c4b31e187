import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { Receiver } from '@petstore/test-servers';
import { closeOpened, openReceiver, openSender, send } from '../testing/test-sender.js';

const delivered = (responseStatus: number) => ({ isDelivered: true, responseStatus });
const failed = (error: string) => ({ isDelivered: false, error });

let receiver: Receiver;

beforeEach(async () => {
  receiver = await openReceiver(Receiver.http());
});
afterEach(closeOpened);

/** A server that does this with each request, when its last bytes have arrived. */
const strange = (speak: (socket: Socket) => unknown): Promise<Receiver> =>
  openReceiver(
    Receiver.tcp((socket) =>
      socket.setNoDelay(true).on('data', (bytes) => {
        if (bytes.toString().endsWith('}')) speak(socket);
      }),
    ),
  );

/** Writes this time and again, while the connection is there. */
function repeat(
  write: () => unknown,
  everyMs: number,
  end: { on(event: 'close', ended: () => void): unknown },
): void {
  const timer = setInterval(write, everyMs);
  end.on('close', () => {
    clearInterval(timer);
  });
}

/** What fits into the buffers of two sockets, and no more, in bytes. */
const BUFFERED = 20 * 1_024 * 1_024;

describe('an endpoint that', () => {
  it('never responds, or takes a byte a time for its head, is given up in time', async () => {
    receiver.respond = () => undefined;
    const slow = await strange((socket) => {
      const bytes = Array.from('HTTP/1.1 204 No Content\r\n\r\n');
      repeat(() => socket.write(bytes.shift() ?? ''), 50, socket);
    });
    for (const { port } of [receiver, slow]) {
      const url = `http://127.0.0.1:${port}/`;
      expect(await send(url, openSender({ totalTimeoutMs: 300 }))).toEqual(failed('timeout'));
    }
  });

  it('responds with an endless body is cut, and what it said first counts', async () => {
    let written = 0;
    receiver.respond = (response, _received, socket) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16 * 1_024);
      const write = (): void => {
        while (!socket.destroyed && response.write(chunk)) written += chunk.length;
        if (!socket.destroyed) response.once('drain', write);
      };
      write();
    };
    expect(await send(receiver.url())).toEqual(delivered(200));
    expect(written).toBeLessThan(BUFFERED);
  });

  it('takes a byte a time for its body is cut after a second, long before the attempt ends', async () => {
    receiver.respond = (response) => {
      response.writeHead(200);
      repeat(() => response.write('.'), 20, response);
    };
    expect(await send(receiver.url())).toEqual(delivered(200));
  });

  it.each<[string, (socket: Socket) => unknown]>([
    ['resets', (socket) => socket.resetAndDestroy()],
    ['closes', (socket) => socket.end()],
    ['speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
    ['has an unknown status', (socket) => socket.write('HTTP/1.1 099 Strange\r\nContent-Length: 0\r\n\r\n')],
    [
      'switches protocols',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['has a head without end', (socket) => socket.write(`HTTP/1.1 204 OK\r\nx: ${'a'.repeat(100_000)}`)],
  ])('%s has failed', async (_what, speak) => {
    const odd = await strange(speak);
    expect(await send(odd.url())).toEqual(failed('connection'));
  });

  it.each([
    ['expected', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['small', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['large', `HTTP/1.1 103 Early Hints\r\n${'link: </a>; rel=preload\r\n'.repeat(400)}\r\n`],
  ])('sends %s interim responses without end is cut', async (_what, head) => {
    let written = 0;
    const block = Buffer.from(head.repeat(Math.ceil(65_536 / head.length)));
    const flooding = await strange((socket) => {
      const write = (): void => {
        while (!socket.destroyed && socket.write(block)) written += block.length;
      };
      socket.on('drain', write);
      write();
    });
    expect(await send(flooding.url())).toEqual(failed('connection'));
    expect(written).toBeLessThan(BUFFERED);
  });

  it.each([
    ['at once', ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Again\r\nx: 1\r\n\r\n']],
    ['of several kinds', ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n']],
    ['ten times', ['HTTP/1.1 100 Continue\r\n\r\n'.repeat(10)]],
  ])('sends interim responses first, %s, has taken what it takes then', async (_what, pieces) => {
    const early = await strange((socket) => {
      for (const [n, piece] of [...pieces, 'HTTP/1.1 204 No Content\r\n\r\n'].entries())
        setTimeout(() => socket.write(piece), n * 20);
    });
    const by = openSender();
    for (let n = 0; n < 2; n++) expect(await send(early.url(), by)).toEqual(delivered(204));
    expect(early.connections).toBe(1);
  });

  it('does not listen has failed', async () => {
    const url = receiver.url();
    await receiver.close();
    expect(await send(url)).toEqual(failed('connection'));
  });

  it('is given up at once when the process stops', async () => {
    receiver.respond = () => undefined;
    const by = openSender();
    const sending = send(receiver.url(), by);
    setTimeout(() => void by.destroy(), 50);
    await expect(sending).rejects.toThrow('destroyed');
  });
});
