import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import { setImmediate as afterAccepting, setTimeout as sleep } from 'node:timers/promises';
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
    // The kernel resets what has connected and is not accepted when the listener closes: node accepts before it calls this.
    await afterAccepting();
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, this.times.finishMs);
    await new Promise((closed) => server.close(closed));
    clearTimeout(cut);
  }
}
