/** Signals that ask the program to stop. */
const STOP = ['SIGTERM', 'SIGINT'] as const;

export type StopSignal = (typeof STOP)[number];

/** A stop takes no longer than this, in milliseconds, counted from its signal; containers get 15 s. */
const LONGEST_STOP_MS = 9_500;

/** The request to stop, whenever in the life of the process it comes. */
export class StopSignals {
  private asked: StopSignal | undefined;
  private onAsked: ((signal: StopSignal) => void) | undefined;

  constructor() {
    for (const signal of STOP) {
      process.on(signal, () => {
        this.ask(signal);
      });
    }
    // Node would open its inspector, which runs any code for whoever can connect to it.
    process.on('SIGUSR1', () => undefined);
  }

  /** Whether the process has been asked. */
  get isAsked(): boolean {
    return this.asked !== undefined;
  }

  /**
   * Calls `stop` when the process is asked, at once if it has been already. Of several signals the first counts.
   * A process that has not ended 9.5 s after it ends then, with exit code 1.
   */
  whenAsked(stop: (signal: StopSignal) => void): void {
    this.onAsked = stop;
    if (this.asked !== undefined) stop(this.asked);
  }

  private ask(signal: StopSignal): void {
    if (this.asked !== undefined) return;
    this.asked = signal;
    setTimeout(() => {
      process.stderr.write('Shutdown timed out, exiting.\n');
      process.exit(1);
    }, LONGEST_STOP_MS).unref();
    this.onAsked?.(signal);
  }
}
