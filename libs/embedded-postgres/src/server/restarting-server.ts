import { setTimeout as sleep } from 'node:timers/promises';
import type { Supervised } from '../process/supervisor.js';

/** Told of what becomes of a server after its start. */
export interface EmbeddedPostgresObserver {
  /** The server `pid` ended without having been told to; `said` are the last lines it wrote. It is started again. */
  readonly died?: (death: { readonly pid: number; readonly said: string }) => void;
  /** A start failed; the next one follows in so many milliseconds. */
  readonly stillAway?: (failure: { readonly error: unknown; readonly nextMs: number }) => void;
  /** The server takes connections again, so many milliseconds after its death was noticed. */
  readonly returned?: (recovery: { readonly pid: number; readonly afterMs: number }) => void;
}

/** Pauses before the second and later attempts to start a server again, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/**
 * A server that is started again whenever it ends without having been told to, on the same socket, for as long
 * as it takes: a full disk or a tool that holds the folder passes, and nobody else would start it.
 */
export class RestartingServer {
  /** Resolves when the server has been stopped, and nothing of it runs any more. */
  readonly ended: Promise<void>;
  private readonly stopping = new AbortController();
  private starting: Promise<number | undefined> = Promise.resolve(undefined);

  /** @param again starts the server once more; gives up, leaving nothing behind, when the signal says so */
  constructor(
    private server: Supervised,
    private readonly again: (giveUp: AbortSignal) => Promise<Supervised>,
    private readonly observer: EmbeddedPostgresObserver,
  ) {
    this.ended = this.last();
  }

  /** Process id of the server that runs now, or ran last. */
  get pid(): number {
    return this.server.pid;
  }

  async stop(): Promise<void> {
    // From here on an end is what was asked for, and a start under way is given up.
    this.stopping.abort();
    await this.server.stop();
    await this.starting;
  }

  private async last(): Promise<void> {
    for (let pause = 0; ; pause = longer(pause)) {
      const since = performance.now();
      const said = await this.server.ended;
      if (this.stopping.signal.aborted) return;
      this.observer.died?.({ pid: this.server.pid, said });
      // One that dies soon after each start is given rest as one that does not start at all.
      this.starting = this.startAgain(performance.now() - since > LONGEST_PAUSE ? 0 : pause);
      const lastPause = await this.starting;
      if (lastPause === undefined) return;
      pause = lastPause;
    }
  }

  /** The pause after which a start succeeded; nothing when there shall be no server any more. */
  private async startAgain(firstPause: number): Promise<number | undefined> {
    const { signal } = this.stopping;
    const since = performance.now();
    for (let pause = firstPause; ; pause = longer(pause)) {
      try {
        await sleep(pause, undefined, { signal });
        const server = await this.again(signal);
        if (signal.aborted) {
          await server.stop();
          return undefined;
        }
        this.server = server;
        this.observer.returned?.({ pid: server.pid, afterMs: Math.round(performance.now() - since) });
        return pause;
      } catch (error) {
        if (signal.aborted) return undefined;
        this.observer.stillAway?.({ error, nextMs: longer(pause) });
      }
    }
  }
}

function longer(pause: number): number {
  return Math.min(Math.max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE);
}
