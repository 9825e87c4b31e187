import { connect, createServer, type Socket } from 'node:net';

export interface CuttableWire {
  /** The address of the server behind, through this wire. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  restore(): void;
  /** Cuts it for good. */
  close(): void;
}

/** A network between a client and a server on this machine that can be cut. */
export async function cuttableWire(target: string): Promise<CuttableWire> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  let broken = false;
  const proxy = createServer((client) => {
    if (broken) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((proxy.address() as { port: number }).port);
  const cut = (): void => {
    broken = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    restore: () => {
      broken = false;
    },
    close: () => {
      cut();
      proxy.close();
    },
  };
}
