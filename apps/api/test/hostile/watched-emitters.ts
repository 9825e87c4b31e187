import type { EventEmitter } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { Client } from 'pg';

/** What a socket is called that was connected to a server, and what a session with a database. */
export const OUTGOING = 'connection to a server';
export const SESSION = 'database session';

/** What every object of these kinds does, whoever makes it. */
interface Hook {
  readonly prototype: object;
  readonly method: string;
  /** Called before the method itself. */
  readonly see: (self: EventEmitter, words: readonly unknown[]) => void;
}

/**
 * Watches every socket that a listener takes, every socket that is connected to a server, and every session with
 * a database, from its beginning to its end: one that could emit `error` while nobody listens would end the
 * process. It sees those of the whole process, its tests included.
 */
export class WatchedEmitters {
  /** What was found, each once: `listener 3000: error without a listener`. */
  readonly bare = new Set<string>();
  /** How many emitters of which name were seen. */
  readonly seen = new Map<string, number>();
  private readonly known = new WeakSet<EventEmitter>();
  private readonly undo: (() => void)[] = [];

  constructor() {
    this.hook({
      prototype: http.Server.prototype,
      method: 'emit',
      see: (server, [event, socket]) => {
        if (event === 'connection') this.watchSocket(`listener ${portOf(server)}`, socket as net.Socket);
      },
    });
    this.hook({
      prototype: net.Socket.prototype,
      method: 'connect',
      see: (socket) => {
        this.watchSocket(OUTGOING, socket as net.Socket);
      },
    });
    this.hook({
      prototype: Client.prototype,
      method: 'connect',
      see: (client) => {
        this.watchSession(client as Client);
      },
    });
  }

  stop(): void {
    for (const undo of this.undo.splice(0)) undo();
  }

  private hook({ prototype, method, see }: Hook): void {
    const methods = prototype as Record<string, unknown>;
    const own = Object.getOwnPropertyDescriptor(prototype, method);
    const original = methods[method] as (...words: unknown[]) => unknown;
    methods[method] = function (this: EventEmitter, ...words: unknown[]): unknown {
      see(this, words);
      return original.apply(this, words);
    };
    this.undo.push(() => {
      if (own === undefined) Reflect.deleteProperty(prototype, method);
      else Object.defineProperty(prototype, method, own);
    });
  }

  /** A socket emits in a later turn what befalls it: it may be bare within a turn, or once it is destroyed. */
  private watchSocket(name: string, socket: net.Socket): void {
    this.watch(name, socket, () => {
      const look = (): void => {
        if (!socket.destroyed && socket.listenerCount('error') === 0)
          this.bare.add(`${name}: nobody listens`);
      };
      // Behind what this turn has put off already: an HTTP client hands its socket to its agent so.
      process.nextTick(() => {
        process.nextTick(look);
      });
    });
  }

  /**
   * A session may be bare at no time: several messages of the server can come in one packet, and are handled
   * without a turn between them.
   */
  private watchSession(client: Client): void {
    this.watch(SESSION, client, () => {
      if (client.listenerCount('error') === 0) this.bare.add(`${SESSION}: nobody listens`);
    });
  }

  /** @param check called whenever somebody may have stopped listening */
  private watch(name: string, emitter: EventEmitter, check: () => void): void {
    if (this.known.has(emitter)) return;
    this.known.add(emitter);
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
    const emit = emitter.emit.bind(emitter);
    emitter.emit = (event: string | symbol, ...words: unknown[]): boolean => {
      if (event !== 'error' || emitter.listenerCount('error') > 0) return emit(event, ...words);
      this.bare.add(`${name}: error without a listener: ${String(words[0])}`);
      return false;
    };
    emitter.on('removeListener', (event) => {
      if (event === 'error') check();
    });
    process.nextTick(check);
  }
}

function portOf(server: EventEmitter): number {
  return ((server as http.Server).address() as net.AddressInfo | null)?.port ?? 0;
}
