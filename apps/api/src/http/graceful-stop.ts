import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a stop goes, in milliseconds. */
export interface StopPatience {
  /** New requests are still served so long, each answered with `Connection: close`. */
  readonly drain: number;
  /** After the drain, running requests get so long before their connections are cut. */
  readonly finish: number;
}

export const DEFAULT_STOP_PATIENCE: StopPatience = { drain: 1_000, finish: 5_000 };

/**
 * Stops a server without losing a request of a client that follows `Connection: close`: first every answer
 * tells its client to go elsewhere, and only when they had time to hear it does the server stop listening.
 */
export class GracefulStop {
  private begun = false;

  constructor(private readonly patience: StopPatience = DEFAULT_STOP_PATIENCE) {}

  /** Whether the service should be sent no more requests. */
  get isStopping(): boolean {
    return this.begun;
  }

  /** Once the stop has begun, a connection ends with its answer (RFC 9112, section 9.6). */
  announce(response: ServerResponse): void {
    if (this.begun) response.setHeader('Connection', 'close');
  }

  /** Resolves when the last request has been answered and no connection is left. */
  async stop(server: Server): Promise<void> {
    this.begun = true;
    if ((await connectionsOf(server)) > 0) await sleep(this.patience.drain);
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    const cut = setTimeout(() => {
      server.closeAllConnections();
    }, this.patience.finish);
    await closed;
    clearTimeout(cut);
  }
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => {
      resolve(count);
    });
  });
}
