import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { waitFor } from '@petstore/testing';

const END_WITH_PARENT = new URL('../end-with-parent.mjs', import.meta.url).href;
/** A start on an empty embedded database takes at most this long on a busy machine. */
const START_TIMEOUT_MS = 60_000;
/** The service stops by itself within 9.5 s. */
const STOP_TIMEOUT_MS = 15_000;

export interface NodeProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File for what the program prints. */
  readonly log: string;
  readonly cwd?: string;
}

/** A program that runs in a process of its own, and ends with this one, however this one ends. */
export class NodeProgram {
  private readonly child: ChildProcess;

  constructor(
    private readonly file: string,
    private readonly options: NodeProgramOptions,
  ) {
    const { env, cwd } = options;
    const log = openSync(options.log, 'w');
    const args = ['--import', END_WITH_PARENT, file];
    this.child = spawn(process.execPath, args, { env, cwd, stdio: ['pipe', log, log] });
    closeSync(log);
    // A program that ends before its pipe does is no failure of this process.
    this.child.stdin?.on('error', () => undefined);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** What it has printed so far. */
  get output(): string {
    return readFileSync(this.options.log, 'utf8');
  }

  /**
   * Waits until the program has started.
   *
   * @param check as for `waitFor`
   * @throws Error with its output, when it ends before that or takes too long
   */
  async untilReady<T>(check: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
    const checkRunning = (): T | Promise<T> => {
      if (this.hasEnded()) throw new Error('It ended.');
      return check();
    };
    return waitFor(checkRunning, START_TIMEOUT_MS).catch((cause: unknown) => {
      throw new Error(`${this.file} did not start. Output:\n${this.output.slice(-3_000)}`, { cause });
    });
  }

  /** Asks it to end (SIGTERM); resolves to its exit code, or to the signal that it ended by. */
  async stop(): Promise<number | string> {
    if (!this.hasEnded()) {
      const gone = once(this.child, 'exit');
      this.child.kill();
      const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await gone;
      clearTimeout(timer);
    }
    return this.child.exitCode ?? this.child.signalCode ?? 'unknown';
  }

  private hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
