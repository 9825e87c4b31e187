import type { EventEmitter } from 'node:events';
import http from 'node:http';
import net from 'node:net';

/** What a socket is called that was connected to a server. */
export const OUTGOING = 'connection to a server';

type Method = (...words: unknown[]) => unknown;

/**
 * Watches every accepted and every connecting socket of this process, tests included, for its whole life: one that could
 * emit `error` without a listener would end the process.
 */
export class WatchedEmitters {
  /** What was found, each once: `listener 3000: error without a listener`. */
  readonly bare = new Set<string>();
  /** How many emitters of which name were seen. */
  readonly seen = new Map<string, number>();
  private readonly known = new WeakSet<EventEmitter>();
  private readonly undo: (() => void)[] = [];

  constructor() {
    this.hook(http.Server.prototype, 'emit', (server, [event, socket]) => {
      const { port } = ((server as http.Server).address() ?? { port: 0 }) as net.AddressInfo;
      if (event === 'connection') this.watch(`listener ${port}`, socket as net.Socket);
    });
    this.hook(net.Socket.prototype, 'connect', (socket) => {
      this.watch(OUTGOING, socket as net.Socket);
    });
  }

  stop(): void {
    for (const undo of this.undo.splice(0)) undo();
  }

  /** @param see called before the method, whichever object of this kind it is called of */
  private hook(
    prototype: object,
    method: string,
    see: (self: unknown, words: readonly unknown[]) => void,
  ): void {
    const own = Object.getOwnPropertyDescriptor(prototype, method);
    const methods = prototype as Record<string, unknown>;
    const original = methods[method] as Method;
    methods[method] = function (this: unknown, ...words: unknown[]): unknown {
      see(this, words);
      return original.apply(this, words);
    };
    this.undo.push(() => {
      if (own === undefined) Reflect.deleteProperty(prototype, method);
      else Object.defineProperty(prototype, method, own);
    });
  }

  private watch(name: string, socket: net.Socket): void {
    if (this.known.has(socket)) return;
    this.known.add(socket);
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
    const emit = socket.emit.bind(socket) as (event: string | symbol, ...words: unknown[]) => boolean;
    socket.emit = (event: string | symbol, ...words: unknown[]): boolean => {
      if (event !== 'error' || socket.listenerCount('error') > 0) return emit(event, ...words);
      this.bare.add(`${name}: error without a listener: ${String(words[0])}`);
      return false;
    };
    // A socket emits errors in a later tick, so it may lack a listener within a tick, or once it is destroyed. Checked after
    // what this tick has deferred: an HTTP client returns its socket to its agent in this way.
    const look = (): void => {
      process.nextTick(() => {
        process.nextTick(() => {
          if (!socket.destroyed && socket.listenerCount('error') === 0) this.bare.add(`${name}: no listener`);
        });
      });
    };
    socket.on('removeListener', (event) => {
      if (event === 'error') look();
    });
    process.nextTick(look);
  }
}
