import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that serves a service below a path, which the service is not told. */
export class PathPrefix {
  /** Of the service that is served. */
  target = '';
  private readonly server: http.Server;

  private constructor(private readonly prefix: string) {
    this.server = http.createServer((request, response) => {
      const { url = '', method, headers } = request;
      if (!url.startsWith(`${this.prefix}/`)) {
        response.writeHead(404).end();
        return;
      }
      const { hostname, port } = new URL(this.target);
      const options = { hostname, port, method, path: url.slice(this.prefix.length), headers };
      const forwarded = http.request(options, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      request.pipe(forwarded);
    });
  }

  static async listen(prefix: string): Promise<PathPrefix> {
    const proxy = new PathPrefix(prefix);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Where the service is reached. */
  get url(): string {
    return this.origin + this.prefix;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
