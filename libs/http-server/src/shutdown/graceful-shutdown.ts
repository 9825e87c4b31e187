import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Injection token of {@link ShutdownTimes}. */
export const SHUTDOWN_TIMES = Symbol('ShutdownTimes');

/** How a shutdown goes. */
export interface ShutdownTimes {
  /** Time in which new requests are still served, each response with `Connection: close`, in milliseconds. */
  readonly drainMs: number;
  /** Time that running requests have after the drain, before their connections are ended, in milliseconds. */
  readonly finishMs: number;
}

/** Leaves as much for everything that is closed after the server. */
const USUAL: ShutdownTimes = { drainMs: 1_000, finishMs: 4_000 };

/**
 * Stops a server without losing a request of a client that respects `Connection: close`: responses carry it for a
 * while, and only then does the server stop listening. Nest calls this when the application is closed, before anything
 * that requests need is closed (`OnApplicationShutdown`).
 */
@Injectable()
export class GracefulShutdown implements OnModuleDestroy, BeforeApplicationShutdown {
  /** Whether the service is stopping, and should get no more requests. */
  isStopping = false;

  constructor(
    @Optional() @Inject(SHUTDOWN_TIMES) private readonly times: ShutdownTimes = USUAL,
    @Optional() @Inject(HttpAdapterHost) private readonly host?: HttpAdapterHost,
  ) {}

  /** Nest calls it first, so that clients are told at once. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** Resolves when the last response has been sent, or its time is up, and no connection is left. */
  async beforeApplicationShutdown(): Promise<void> {
    // A testing module that never became an application has no adapter.
    const adapter: AbstractHttpAdapter | undefined = this.host?.httpAdapter;
    if (adapter === undefined) return;
    const server = adapter.getHttpServer() as Server;
    const connections = await promisify(server.getConnections.bind(server))();
    if (connections > 0) await sleep(this.times.drainMs);
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, this.times.finishMs);
    await allAccepted(server);
    await new Promise((closed) => server.close(closed));
    clearTimeout(cut);
  }
}

/** The listener closes when no client has connected for so long, in milliseconds. */
const QUIET_MS = 30;

/** Time for which a pause of {@link QUIET_MS}, and then a turn without a connection, is waited for, in milliseconds each. */
const LONGEST_MS = 500;

/** A turn of the event loop in which neither requests nor other processes kept this one busy is shorter, in milliseconds. */
const SHORT_TURN_MS = 1;

/**
 * Resolves when the listener can be closed. The kernel resets what has connected and is not accepted by then, and a proxy may
 * not repeat such a request. Node accepts one connection in each turn of its event loop (libuv since 1.45), before this goes
 * on: a turn without one finds the queue empty, and in a short turn nothing has come since. Under a load in which no turn is
 * short, any without a connection has to do.
 */
async function allAccepted(server: Server): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  let acceptedAt = performance.now();
  const note = (): void => void (acceptedAt = performance.now());
  server.on('connection', note);
  for (let now = performance.now(); now < acceptedAt + QUIET_MS && now < end; now = performance.now())
    await sleep(acceptedAt + QUIET_MS - now);
  let begunAt: number;
  let endedAt = performance.now();
  do {
    begunAt = endedAt;
    await nextTurn();
    endedAt = performance.now();
  } while (
    endedAt < end + 2 * LONGEST_MS &&
    (acceptedAt >= begunAt || (endedAt > begunAt + SHORT_TURN_MS && endedAt < end + LONGEST_MS))
  );
  server.off('connection', note);
}
