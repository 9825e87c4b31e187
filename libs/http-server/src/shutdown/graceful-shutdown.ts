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
import { ConnectionTable } from '../connections/connection-table.js';
import { HTTP_SERVER_OPTIONS, type HttpServerOptions } from '../options/http-server.options.js';

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
    @Inject(ConnectionTable) private readonly connections: ConnectionTable,
    @Inject(HTTP_SERVER_OPTIONS) private readonly options: HttpServerOptions,
    @Optional() @Inject(HttpAdapterHost) private readonly host?: HttpAdapterHost,
  ) {}

  /** Nest calls it first, so that clients are told at once. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** Resolves when the last response has been sent, or its time is up, and no connection is left. */
  async beforeApplicationShutdown(): Promise<void> {
    const { drainMs, finishMs } = this.options.shutdown ?? { drainMs: 1_000, finishMs: 4_000 };
    // A testing module that never became an application has no adapter.
    const adapter: AbstractHttpAdapter | undefined = this.host?.httpAdapter;
    if (adapter === undefined) return;
    if (this.connections.size > 0) await sleep(drainMs);
    // The kernel resets what has connected and is not accepted when the listener closes: node accepts before it calls this.
    await afterAccepting();
    // Not node's own list, in which connections are missing whose client asked for a tunnel.
    const cut = setTimeout(() => {
      this.connections.destroyAll();
    }, finishMs);
    await new Promise((closed) => (adapter.getHttpServer() as Server).close(closed));
    clearTimeout(cut);
  }
}
