import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Injection token of {@link ShutdownTimes}. */
export const SHUTDOWN_TIMES = Symbol('ShutdownTimes');

/** How a shutdown goes. */
export interface ShutdownTimes {
  /**
   * Time for those who look whether the service is ready, before the listener closes, and again for those who learn it from
   * that, before idle connections end; in milliseconds.
   */
  readonly drainMs: number;
  /** Time that running requests have once the listener closes, before their connections are ended, in milliseconds. */
  readonly finishMs: number;
}

/** Leaves as much for everything that is closed after the server. */
const USUAL: ShutdownTimes = { drainMs: 1_000, finishMs: 4_000 };

/**
 * Stops a server without losing a request, also behind a proxy that keeps connections and does not repeat a POST: the
 * listener closes while requests still come on the connections that there are, so that hardly a new one is under way. Each
 * response then ends its connection, and connections that stay idle end when nobody uses them any more. Nest calls this when the
 * application is closed, before anything that requests need is closed (`OnApplicationShutdown`).
 */
@Injectable()
export class GracefulShutdown implements OnModuleDestroy, BeforeApplicationShutdown {
  /** Whether the service is stopping, and should get no more requests. */
  isStopping = false;
  /** Whether a connection ends with its response. */
  endsConnections = false;

  constructor(
    @Optional() @Inject(SHUTDOWN_TIMES) private readonly times: ShutdownTimes = USUAL,
    @Optional() @Inject(HttpAdapterHost) private readonly host?: HttpAdapterHost,
  ) {}

  /** Nest calls it first, so that whoever asks is told at once. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** Resolves when the last response has been sent, or its time is up, and no connection is left. */
  async beforeApplicationShutdown(): Promise<void> {
    // A testing module that never became an application has no adapter.
    const adapter: AbstractHttpAdapter | undefined = this.host?.httpAdapter;
    if (adapter === undefined) return;
    const server = adapter.getHttpServer() as HttpServer;
    const connections = await promisify(server.getConnections.bind(server))();
    if (connections > 0) await sleep(this.times.drainMs);
    const closed = once(server, 'close');
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, this.times.finishMs);
    await nothingToAccept(server);
    this.endsConnections = true;
    // Without what HTTP's server does first: it ends idle connections.
    Server.prototype.close.call(server);
    const idle = setTimeout(() => {
      server.closeIdleConnections();
    }, this.times.drainMs);
    await closed;
    clearTimeout(idle);
    clearTimeout(cut);
  }
}

/** A turn of the event loop in which neither requests nor other processes kept this one busy is shorter, in milliseconds. */
const SHORT_TURN_MS = 1;

/** The listener of a process that is too busy for such a turn closes after so long, in milliseconds. */
const LONGEST_MS = 2_000;

/**
 * Resolves when the listener can be closed: the kernel resets what has connected and is not accepted by then. Node accepts one
 * connection in each turn of its event loop (libuv since 1.45), before this goes on: a turn without one finds none waiting, and
 * in a short turn none has come since.
 */
async function nothingToAccept(server: Server): Promise<void> {
  let accepted = 0;
  const note = (): void => void (accepted += 1);
  server.on('connection', note);
  const end = performance.now() + LONGEST_MS;
  let acceptedBefore: number;
  let begunAt: number;
  let endedAt = performance.now();
  do {
    acceptedBefore = accepted;
    begunAt = endedAt;
    await nextTurn();
    endedAt = performance.now();
  } while ((accepted > acceptedBefore || endedAt > begunAt + SHORT_TURN_MS) && endedAt < end);
  server.off('connection', note);
}
