import { connect, type Socket } from 'node:net';

/** A connection to the server behind a `postgresql://` address, over TCP or over the socket in its folder. */
export function connectTo(target: string): Socket {
  const { hostname, port, searchParams } = new URL(target);
  const folder = searchParams.get('host');
  return folder === null
    ? connect(Number(port), hostname)
    : connect(`${folder}/.s.PGSQL.${port === '' ? '5432' : port}`);
}

/**
 * The server's end of a wire for this client: a reset or an end on one side is one on the other. What flows between
 * them is for the caller to say.
 *
 * @param sockets takes both ends, for as long as they are open
 */
export function joinTo(target: string, client: Socket, sockets: Set<Socket>): Socket {
  const upstream = connectTo(target);
  for (const socket of [client, upstream]) {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  }
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => {
    client.destroySoon();
  });
  return upstream;
}

/** The same address for somebody who listens on this TCP port in between. */
export function through(target: string, port: number): string {
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.searchParams.delete('host');
  return url.href;
}
