import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A cluster node also listens on its port + 10,000, which must be a port, too. */
const CLUSTER_BUS_OFFSET = 10_000;
const HIGHEST = 65_535 - CLUSTER_BUS_OFFSET;

/** A port of the loopback interface on which nothing listens, nor on the one 10,000 above it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await probe(0);
    if (port <= HIGHEST && (await probe(port + CLUSTER_BUS_OFFSET).catch(() => 0)) !== 0) return port;
  }
}

/** Listens on `port` (0 for any) for a moment; rejects when another program does. */
async function probe(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return bound;
}
