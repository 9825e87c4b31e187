import { type AddressInfo, createServer, type Socket } from 'node:net';
import { message } from '../src/testing/wire-rows.js';
import { joinTo, through } from './upstream.js';

const READY = message('Z', Buffer.from('I'));

/** What PostgreSQL sends to a session that `pg_terminate_backend` ends. */
const ENDED = message(
  'E',
  Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0Fpostgres.c\0\0',
    'latin1',
  ),
);

export interface EndingWire {
  readonly url: string;
  /** Sessions that were ended so far. */
  readonly ended: number;
  /** Sessions go on for as long as they like from now on. */
  readonly spare: () => void;
  readonly close: () => void;
}

/**
 * A way to a server on which each session is ended in the moment in which it becomes ready, for the first time or
 * for one of the next times: in the same piece, with a FIN, a reset or nothing after it.
 */
export async function endingWire(target: string): Promise<EndingWire> {
  const sockets = new Set<Socket>();
  let ended = 0;
  let sparing = false;
  const proxy = createServer((client) => {
    const upstream = joinTo(target, client, sockets);
    client.pipe(upstream);
    let left = Math.floor(Math.random() * 4);
    upstream.on('data', (bytes: Buffer) => {
      const isReady = bytes.subarray(-READY.length).equals(READY);
      if (sparing || !isReady || left-- > 0) {
        client.write(bytes);
        return;
      }
      const how = ended++ % 3;
      client.write(Buffer.concat([bytes, ENDED]), () => {
        if (how === 0) client.end();
        else if (how === 1) setImmediate(() => client.resetAndDestroy());
      });
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  return {
    url: through(target, (proxy.address() as AddressInfo).port),
    get ended() {
      return ended;
    },
    spare: () => {
      sparing = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
