import { createServer, type Socket } from 'node:net';
import { joinTo, through } from './upstream.js';

export interface CuttableWire {
  /** The address of the server behind, through this wire. */
  readonly url: string;
  /** Breaks every connection, and new ones as soon as they are made. */
  cut(): void;
  /** Breaks every connection, and nobody listens any more. */
  refuse(): void;
  restore(): Promise<void>;
  /** Cuts it for good. */
  close(): void;
}

/** A network between a client and a server on this machine that can be cut. */
export async function cuttableWire(target: string): Promise<CuttableWire> {
  const sockets = new Set<Socket>();
  let broken = false;
  const proxy = createServer((client) => {
    if (broken) {
      client.destroy();
      return;
    }
    client.pipe(joinTo(target, client, sockets)).pipe(client);
  });
  const listen = (at: number): Promise<void> =>
    new Promise((resolve) => proxy.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const { port } = proxy.address() as { port: number };
  const cut = (): void => {
    broken = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: through(target, port),
    cut,
    refuse: () => {
      cut();
      proxy.close();
    },
    restore: async () => {
      broken = false;
      if (!proxy.listening) await listen(port);
    },
    close: () => {
      cut();
      proxy.close();
    },
  };
}
