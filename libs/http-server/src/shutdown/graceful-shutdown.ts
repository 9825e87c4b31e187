import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionTable } from './connections/connection-table.js';

/** How a stop goes, in milliseconds. */
export interface StopTimes {
  /** New requests are still served so long, each answered with `Connection: close`. */
  readonly drain: number;
  /** After the drain, running requests get so long before their connections are ended. */
  readonly finish: number;
}

export const DEFAULT_STOP_TIMES: StopTimes = { drain: 1_000, finish: 4_000 };

/**
 * Stops a server without losing a request of a client that follows `Connection: close`: first every answer
 * tells its client to go elsewhere, and only when they had time to receive it does the server stop listening.
 */
export class GracefulStop {
  private begun = false;

  constructor(
    private readonly connections: ConnectionTable,
    private readonly times: StopTimes = DEFAULT_STOP_TIMES,
  ) {}

  /** Whether the service should be sent no more requests. */
  get isStopping(): boolean {
    return this.begun;
  }

  /** Once the stop has begun, a connection ends with its answer (RFC 9112, section 9.6). */
  announce(response: ServerResponse): void {
    if (this.begun) response.setHeader('Connection', 'close');
  }

  /** Resolves when the last request has been answered, or its time is up, and no connection is left. */
  async stop(server: Server): Promise<void> {
    this.begun = true;
    if (this.connections.size > 0) await sleep(this.times.drain);
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    // Not node's own list, in which connections are missing whose client asked for a tunnel.
    const cut = setTimeout(() => {
      this.connections.destroyAll();
    }, this.times.finish);
    await closed;
    clearTimeout(cut);
  }
}
