import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { message, READY, through } from './wire.js';

/** What a pooler says when a session begins: nothing of the server's own, its process number least of all. */
const BEGUN = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('S', Buffer.from('server_version\0' + '18.4\0')),
  message('K', Buffer.from([0x7f, 1, 2, 3, 4, 5, 6, 7])),
  READY,
]);

export interface Pooler {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * A pooler as PgBouncer with `pool_mode = transaction` (or `session`): simple and extended queries of several
 * clients go to the session that is free, the one used last first. It asks its own clients for nothing.
 */
export async function transactionPooler(target: string, mode: 'transaction' | 'session'): Promise<Pooler> {
  const free: Client[] = [];
  const all: Client[] = [];
  const sockets = new Set<Socket>();
  const sessionOf = async (): Promise<Client> => {
    const session = free.pop();
    if (session !== undefined) return session;
    const made = new Client(target);
    made.on('error', () => undefined);
    await made.connect();
    made.connection.removeAllListeners('rowDescription').removeAllListeners('dataRow');
    all.push(made);
    return made;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let begun = false;
    let held: Client | undefined;
    let work = Promise.resolve();
    const pass = async (bytes: Buffer): Promise<void> => {
      if (!begun) {
        begun = true;
        socket.write(BEGUN);
        return;
      }
      if (bytes[0] === 'X'.charCodeAt(0)) {
        socket.end();
        return;
      }
      const session = (held ??= await sessionOf());
      const { stream } = session.connection;
      const status = await new Promise<string>((resolve) => {
        const take = (answer: Buffer): void => {
          socket.write(answer);
          if (answer.at(-6) !== 'Z'.charCodeAt(0)) return;
          stream.removeListener('data', take);
          resolve(answer.subarray(-1).toString());
        };
        stream.removeAllListeners('data');
        stream.on('data', take);
        stream.write(bytes);
      });
      if (mode === 'transaction' && status === 'I') {
        free.push(session);
        held = undefined;
      }
    };
    socket.on('data', (bytes: Buffer) => {
      work = work.then(() => pass(bytes));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = new URL(through(target, (server.address() as AddressInfo).port));
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      for (const { connection } of all) connection.stream.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
