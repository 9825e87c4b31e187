import { request } from 'node:http';
import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import { RefusedAddressError } from './guarded-lookup.js';

/** How a proxy says that it does not connect there: Smokescreen says 407, others 403. */
const DENIALS: ReadonlySet<number | undefined> = new Set([403, 407]);

/** An egress proxy that connects to endpoints (RFC 9110, section 9.3.6): it resolves names and judges addresses. */
export class EgressProxy {
  private readonly url: URL;

  /**
   * @param url `http`, with user and password if it asks for them
   * @param connectTimeoutMs until it must have connected
   */
  constructor(
    url: string,
    private readonly connectTimeoutMs: number,
  ) {
    this.url = new URL(url);
  }

  /**
   * A connection through the proxy.
   *
   * @throws {RefusedAddressError} when the proxy denies it
   * @throws Error when it cannot be reached or does not connect in time
   */
  connect(host: string, port: number): Promise<Socket> {
    const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    const { hostname, port: proxyPort, username, password } = this.url;
    const credentials = [username, password].map(decodeURIComponent).join(':');
    const asking = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: proxyPort === '' ? 80 : Number(proxyPort),
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        ...(username !== '' && {
          'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
        }),
      },
      agent: false,
    });
    return new Promise<Socket>((resolve, reject) => {
      const fail = (error: Error): void => {
        clearTimeout(timer);
        asking.destroy();
        reject(error);
      };
      const timer = setTimeout(() => {
        fail(Object.assign(new Error('The proxy has not connected in time.'), { code: 'ETIMEDOUT' }));
      }, this.connectTimeoutMs);
      asking.on('connect', ({ statusCode }, socket: Socket, head) => {
        clearTimeout(timer);
        // Until somebody uses it, and for good: an error without a listener ends the process.
        socket.on('error', () => undefined);
        // Who is called speaks second: what comes at once is not from an endpoint.
        if (statusCode === 200 && head.length === 0) resolve(socket);
        else {
          socket.destroy();
          reject(
            DENIALS.has(statusCode)
              ? new RefusedAddressError()
              : new Error('The proxy could not connect to the endpoint.'),
          );
        }
      });
      asking.on('response', ({ statusCode }) => {
        fail(new Error(`The proxy has responded ${statusCode ?? 0} to CONNECT.`));
      });
      asking.on('error', fail);
      asking.end();
    });
  }
}
