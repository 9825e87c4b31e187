import { connect, type Socket } from 'node:net';

/** A connection to the server behind a `postgresql://` address, over TCP or over the socket in its folder. */
export function connectTo(target: string): Socket {
  const { hostname, port, searchParams } = new URL(target);
  const folder = searchParams.get('host');
  return folder === null
    ? connect(Number(port), hostname)
    : connect(`${folder}/.s.PGSQL.${port === '' ? '5432' : port}`);
}

/** The same address for somebody who listens on this TCP port in between. */
export function through(target: string, port: number): string {
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.searchParams.delete('host');
  return url.href;
}
