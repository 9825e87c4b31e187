import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { message, READY, through } from './wire.js';

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number): Buffer => Buffer.concat([int16(value >> 16), int16(value & 0xffff)]);

/** What a pooler says when a session begins: nothing of the server's own, its process number least of all. */
const BEGUN = Buffer.concat([
  message('R', int32(0)),
  message('S', Buffer.from('server_version\0' + '18.4\0')),
  message('K', Buffer.from([0x7f, 1, 2, 3, 4, 5, 6, 7])),
  READY,
]);

/** The one column of a row, an integer of this name. */
const COLUMN = Buffer.concat([
  ...[int16(1), Buffer.from('pid\0'), int32(0), int16(0), int32(23), int16(4), int32(-1), int16(0)],
]);
/** What each query gets from the one session that all clients share. */
const PID = Buffer.concat([
  message('T', COLUMN),
  message('D', Buffer.concat([int16(1), int32(2), Buffer.from('42')])),
  message('C', Buffer.from('SELECT 1\0')),
  READY,
]);

/** What its clients see of a pooler with `pool_mode = transaction`: whoever asks, the same session responds. */
export async function transactionPooler(target: string): Promise<{ url: string; close: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(BEGUN);
      socket.on('data', (bytes) => (bytes[0] === 'X'.charCodeAt(0) ? socket.end() : socket.write(PID)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: through(target, (server.address() as AddressInfo).port),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
