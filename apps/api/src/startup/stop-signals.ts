/** Signals that request the program to stop; a terminal that closes sends SIGHUP. */
const STOP = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export type StopSignal = (typeof STOP)[number];

/** Longest duration of a stop, counted from its signal; the manifests give containers 15 s or more. */
const STOP_TIMEOUT_MS = 9_500;

/** Receives the request to stop, also while the program starts. */
export class StopSignals {
  private readonly stop = new AbortController();
  private listener: ((signal: StopSignal) => void) | undefined;

  constructor() {
    for (const signal of STOP) {
      process.on(signal, () => {
        this.request(signal);
      });
    }
    // By default Node opens its inspector, which runs any code for any client.
    process.on('SIGUSR1', () => undefined);
  }

  /** Aborted when a stop is requested, with the signal as its reason. */
  get stopRequested(): AbortSignal {
    return this.stop.signal;
  }

  /**
   * Calls `stop` when a stop is requested, at once if it was already. Only the first signal counts.
   * A process that has not ended 9.5 s after the signal exits with code 1.
   */
  onStopRequested(stop: (signal: StopSignal) => void): void {
    this.listener = stop;
    if (this.stop.signal.aborted) stop(this.stop.signal.reason as StopSignal);
  }

  private request(signal: StopSignal): void {
    if (this.stop.signal.aborted) return;
    setTimeout(() => {
      process.stderr.write('Shutdown timed out, exiting.\n');
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    this.stop.abort(signal);
    this.listener?.(signal);
  }
}
