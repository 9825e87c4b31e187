import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { message, READY } from './wire.js';

/** How an impostor in the server's place authenticates clients. */
export type Asking = 'password' | 'md5' | 'nothing' | 'nothing after SASL' | 'scram with a guess';

export interface Impostor {
  readonly url: string;
  /** All that was sent to it. */
  readonly received: () => string;
  readonly close: () => void;
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const authentication = (kind: number, rest = Buffer.alloc(0)): Buffer =>
  message('R', Buffer.concat([int32(kind), rest]));
const OK = Buffer.concat([
  authentication(0),
  message('S', Buffer.from('server_version\0' + '18.4\0')),
  message('K', Buffer.alloc(8)),
  READY,
]);
const SASL = authentication(10, Buffer.from('SCRAM-SHA-256\0\0'));

/** A server that knows no password, and would like to. It takes everybody in, in the same breath where it can. */
export async function impostor(asking: Asking, user: string): Promise<Impostor> {
  const sockets = new Set<Socket>();
  let received = '';
  const server = createServer((socket) => {
    sockets.add(socket);
    let step = 0;
    let first = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      step++;
      if (step === 1) {
        if (asking === 'password') socket.write(authentication(3));
        if (asking === 'md5') socket.write(authentication(5, Buffer.from('salt')));
        if (asking === 'nothing') socket.write(OK);
        if (asking === 'nothing after SASL' || asking === 'scram with a guess') socket.write(SASL);
      } else if (asking === 'scram with a guess' && step === 2) {
        const nonce = /r=([^,]+)$/.exec(bytes.toString())?.[1] ?? '';
        first = `r=${nonce}impostor,s=${randomBytes(16).toString('base64')},i=4096`;
        socket.write(authentication(11, Buffer.from(first)));
      } else if (asking === 'scram with a guess' && step === 3) {
        const salt = Buffer.from(/s=([^,]+)/.exec(first)?.[1] ?? '', 'base64');
        const guess = pbkdf2Sync('guess', salt, 4096, 32, 'sha256');
        const key = createHmac('sha256', guess).update('Server Key').digest();
        const proof = createHash('sha256').update(key).digest('base64');
        socket.write(Buffer.concat([authentication(12, Buffer.from(`v=${proof}`)), OK]));
      } else socket.write(OK);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://${user}@127.0.0.1:${port}/postgres`,
    received: () => received,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
