import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A cluster node also listens on its port + 10,000. */
const CLUSTER_BUS_OFFSET = 10_000;
/** Below the ports that systems assign, also to outgoing connections: none is taken by chance. */
const [FIRST, BEHIND_LAST] = [10_000, 20_000];

/**
 * A port of the loopback interface on which nothing listens, nor on the one 10,000 above it. No other test gets it before
 * this process ends, also while the server that had it is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, BEHIND_LAST);
    if ((await isReserved(port)) && (await isFree(port)) && (await isFree(port + CLUSTER_BUS_OFFSET)))
      return port;
  }
}

/** Takes the UDP port of this number, which no server of a test needs, to the end of the process. */
async function isReserved(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  const bound = once(socket, 'listening');
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  return bound.then(
    () => true,
    () => false,
  );
}

/** Whether one can listen on a port: does so for a moment. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!listens) return false;
  server.close();
  await once(server, 'close');
  return true;
}
