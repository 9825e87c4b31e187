import { once } from 'node:events';
import net from 'node:net';

/** A way to a Redis that delays what goes over it, or breaks. */
export class FaultyWay {
  /** How long a request takes there and back, in milliseconds. */
  delayMs = 0;
  private readonly sockets = new Set<net.Socket>();

  private constructor(
    private readonly server: net.Server,
    readonly url: string,
  ) {}

  static async to(port: number): Promise<FaultyWay> {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const way = new FaultyWay(server, `redis://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
    server.on('connection', (client) => {
      const redis = net.connect(port, '127.0.0.1');
      way.carry(client, redis);
      way.carry(redis, client);
    });
    return way;
  }

  /** Breaks all connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private carry(from: net.Socket, to: net.Socket): void {
    this.sockets.add(from);
    from.on('error', () => undefined);
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
    from.on('data', (data) => {
      if (this.delayMs === 0) to.write(data);
      else setTimeout(() => to.writable && to.write(data), this.delayMs / 2);
    });
  }
}
