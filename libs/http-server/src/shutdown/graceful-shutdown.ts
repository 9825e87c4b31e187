import { type BeforeApplicationShutdown, Inject, Injectable, Optional } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionTable } from '../connections/connection-table.js';

/** How a shutdown goes, in milliseconds. */
export interface ShutdownTimes {
  /** New requests are still served so long, each response with `Connection: close`. */
  readonly drainMs: number;
  /** After the drain, running requests get so long before their connections are ended. */
  readonly finishMs: number;
}

/** Together 5 s, which leaves as much for everything that is closed after the server. */
export const DEFAULT_SHUTDOWN_TIMES: ShutdownTimes = { drainMs: 1_000, finishMs: 4_000 };

/** Injection token of {@link ShutdownTimes}. */
export const SHUTDOWN_TIMES = Symbol('ShutdownTimes');

/**
 * Stops a server without losing a request of a client that follows `Connection: close`: first every response
 * tells its client to go elsewhere, and only when they had time to receive it does the server stop listening.
 *
 * Nest calls it when the application is closed, before anything that requests need is closed
 * (`OnApplicationShutdown`).
 */
@Injectable()
export class GracefulShutdown implements BeforeApplicationShutdown {
  private begun = false;

  constructor(
    @Inject(ConnectionTable) private readonly connections: ConnectionTable,
    @Inject(SHUTDOWN_TIMES) private readonly times: ShutdownTimes = DEFAULT_SHUTDOWN_TIMES,
    @Optional() @Inject(HttpAdapterHost) private readonly host?: HttpAdapterHost,
  ) {}

  /** Whether the service should be sent no more requests. */
  get isStopping(): boolean {
    return this.begun;
  }

  /** Once the shutdown has begun, a connection ends with its response (RFC 9112, section 9.6). */
  announce(response: ServerResponse): void {
    if (this.begun) response.setHeader('Connection', 'close');
  }

  /** Resolves when the last response has been sent, or its time is up, and no connection is left. */
  async stop(server: Server): Promise<void> {
    this.begun = true;
    if (this.connections.size > 0) await sleep(this.times.drainMs);
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    // Not node's own list, in which connections are missing whose client asked for a tunnel.
    const cut = setTimeout(() => {
      this.connections.destroyAll();
    }, this.times.finishMs);
    await closed;
    clearTimeout(cut);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.begun = true;
    // A testing module that never became an application has no adapter.
    const adapter: AbstractHttpAdapter | undefined = this.host?.httpAdapter;
    if (adapter !== undefined) await this.stop(adapter.getHttpServer() as Server);
  }
}
