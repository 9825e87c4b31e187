import { type AddressInfo, createServer, type Socket } from 'node:net';
import { message } from '../src/testing/wire-rows.js';
import { joinTo, through } from './upstream.js';

/** What PostgreSQL says when it has committed. */
const COMMITTED = message('C', Buffer.from('COMMIT\0'));
/** A part of the message that asks for a commit. */
const COMMIT = Buffer.from('COMMIT\0');

export interface LosingWire {
  readonly url: string;
  /** Breaks the next connection that commits: before the server gets it, or before the client learns of it. */
  lose(what: 'commit' | 'answer'): void;
  /**
   * Breaks the next connection that sends this text or this name of a statement: before the server gets it, or before the
   * client gets the response.
   */
  loseStatement(sign: string, what: 'question' | 'answer'): void;
  close(): void;
}

/** A network between a client and a server on this machine that breaks at the worst moment. */
export async function losingWire(target: string): Promise<LosingWire> {
  const sockets = new Set<Socket>();
  let losing: 'commit' | 'answer' | undefined;
  let statement: { readonly sign: Buffer; readonly what: 'question' | 'answer' } | undefined;
  const proxy = createServer((client) => {
    const upstream = joinTo(target, client, sockets);
    const relay = (from: Socket, to: Socket, what: typeof losing, sign: Buffer): void => {
      from.on('data', (bytes: Buffer) => {
        if (losing !== what || !bytes.includes(sign)) {
          to.write(bytes);
          return;
        }
        losing = undefined;
        client.destroy();
        upstream.destroy();
      });
    };
    relay(client, upstream, 'commit', COMMIT);
    relay(upstream, client, 'answer', COMMITTED);
    client.prependListener('data', (bytes: Buffer) => {
      if (statement === undefined || !bytes.includes(statement.sign)) return;
      const { what } = statement;
      statement = undefined;
      const cut = (): void => {
        client.destroy();
        upstream.destroy();
      };
      if (what === 'question') cut();
      // Ahead of the relay: nothing of it arrives.
      else upstream.prependOnceListener('data', cut);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  return {
    url: through(target, (proxy.address() as AddressInfo).port),
    lose: (what) => {
      losing = what;
    },
    loseStatement: (sign, what) => {
      statement = { sign: Buffer.from(sign), what };
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
