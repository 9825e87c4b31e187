import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeLingering } from './closing.js';

const RESPONSE = 'HTTP/1.1 414 URI Too Long\r\nConnection: close\r\n\r\n';

let server: Server;

afterEach(() => {
  server.close();
});

/** A server that responds to the first bytes of a connection and closes it; a client that does not read yet. */
async function connect(): Promise<{ client: Socket; atServer: Promise<Socket> }> {
  server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(RESPONSE);
      closeLingering(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const atServer = once(server, 'connection').then(([socket]) => socket as Socket);
  const client = net.connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  client.on('error', () => undefined);
  client.pause();
  return { client, atServer };
}

async function closedAfter(socket: Socket): Promise<number> {
  const began = performance.now();
  if (!socket.closed) await once(socket, 'close');
  return performance.now() - began;
}

describe('a connection that is closed while its client sends', () => {
  it('gives the client time to read the response, however much it sends', async () => {
    const { client, atServer } = await connect();
    client.write(Buffer.alloc(4_000_000));
    const closed = closedAfter(await atServer);
    await sleep(200);
    let text = '';
    client.on('data', (bytes) => (text += bytes.toString())).resume();
    expect(await closed).toBeLessThan(1_500);
    expect(text).toBe(RESPONSE);
  });

  it('is closed at once by a client that stops', async () => {
    const { client, atServer } = await connect();
    client.write('a');
    const closed = closedAfter(await atServer);
    client.end();
    expect(await closed).toBeLessThan(400);
  });

  it('is reset after two seconds when its client sends little and does not stop', async () => {
    const { client, atServer } = await connect();
    client.write('a');
    const closed = closedAfter(await atServer);
    const dripping = setInterval(() => client.write('a'), 100);
    const after = await closed;
    clearInterval(dripping);
    expect(after).toBeGreaterThan(1_500);
    expect(after).toBeLessThan(4_000);
  });
});
