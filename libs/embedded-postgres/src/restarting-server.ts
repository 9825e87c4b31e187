import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from './server-process.js';

/** Notified of what happens to a server after its start. */
export interface EmbeddedPostgresObserver {
  /** The server `pid` ended by itself; `said` are the last lines of its log. It is restarted. */
  readonly died?: (death: { readonly pid: number; readonly said: string }) => void;
  /** A start failed; the next one follows after `nextMs`. */
  readonly restartFailed?: (failure: { readonly error: unknown; readonly nextMs: number }) => void;
  /** The server accepts connections again, `afterMs` after its death was noticed. */
  readonly restarted?: (recovery: { readonly pid: number; readonly afterMs: number }) => void;
}

/** Pauses before the second and later attempts to restart a server, doubled each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * A server that is restarted on the same socket whenever it ends by itself. Restarts are attempted without an end: the
 * cause, such as a full disk or a tool that holds the folder, may pass, and nothing else would restart the server.
 */
export class RestartingServer {
  private readonly stopping = new AbortController();
  private readonly supervision: Promise<void>;

  /** @param restart starts the server again; rejects, leaving nothing behind, when the signal is aborted */
  constructor(
    private server: ServerProcess,
    private readonly restart: (cancel: AbortSignal) => Promise<ServerProcess>,
    private readonly observer: EmbeddedPostgresObserver,
  ) {
    this.supervision = this.keepRunning();
  }

  /** Process id of the server that runs now, or ran last. */
  get pid(): number {
    return this.server.pid;
  }

  /** Stops the server, or what is done to restart it; nothing of it runs any more then. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.server.stop();
    await this.supervision;
  }

  private async keepRunning(): Promise<void> {
    let pauseMs = 0;
    for (;;) {
      const since = performance.now();
      const said = await this.server.ended;
      if (this.stopping.signal.aborted) return;
      this.observer.died?.({ pid: this.server.pid, said });
      // A server that dies soon after each start gets the same pauses as one that does not start.
      if (performance.now() - since > LONGEST_PAUSE_MS) pauseMs = 0;
      pauseMs = longer(await this.restartUntilUp(pauseMs));
    }
  }

  /** The pause after which a start succeeded, or the last one before the server was stopped. */
  private async restartUntilUp(firstPauseMs: number): Promise<number> {
    const { signal } = this.stopping;
    const since = performance.now();
    for (let pauseMs = firstPauseMs; ; pauseMs = longer(pauseMs)) {
      try {
        await sleep(pauseMs, undefined, { signal });
        const server = await this.restart(signal);
        if (signal.aborted) {
          await server.stop();
          return pauseMs;
        }
        this.server = server;
        this.observer.restarted?.({ pid: server.pid, afterMs: Math.round(performance.now() - since) });
        return pauseMs;
      } catch (error) {
        if (signal.aborted) return pauseMs;
        this.observer.restartFailed?.({ error, nextMs: longer(pauseMs) });
      }
    }
  }
}

function longer(pauseMs: number): number {
  return Math.min(Math.max(2 * pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
}
