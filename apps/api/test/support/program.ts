import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@petstore/testing';
import type { Environment } from '../../src/configuration/configuration.js';

const MAIN = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));
const CPU_REPORTER = new URL('./cpu-reporter.mjs', import.meta.url).href;
/** Against a start that hangs, below jest's limit. */
const START_GUARD_MS = 55_000;

/** The program as a process of its own: on an embedded database in `dataDir` unless its environment names another. */
export class Program {
  output = '';
  private readonly process: ChildProcess;
  private readonly ended: Promise<unknown>;
  /** What it writes when it listens: lines for people only where it is for trying. */
  private readonly signs: readonly RegExp[];

  /**
   * @param reportsCpu whether {@link cpuMicros} can be asked
   * @param shell command that starts it: limits, or where its output goes
   */
  constructor(
    dataDir: string,
    environment: Environment = {},
    { reportsCpu = false, shell = 'exec "$@"' } = {},
  ) {
    const logged = /"msg":"listening"/;
    const isDemo =
      environment['DATABASE_URL'] === undefined && environment['PETSTORE_ENVIRONMENT'] !== 'production';
    this.signs = isDemo ? [/Docs +http/, logged] : [logged];
    const command = [process.execPath, ...(reportsCpu ? ['--import', CPU_REPORTER] : []), MAIN];
    this.process = spawn('/bin/sh', ['-c', shell, 'sh', ...command], {
      env: { PETSTORE_DATA_DIR: dataDir, PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', ...(reportsCpu ? ['ipc' as const] : [])],
    });
    // Once all that it wrote has been read, too.
    this.ended = once(this.process, 'close');
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  /** Resolves when it has said where it listens, also in its log, which it writes a little later. */
  async started(): Promise<this> {
    const hasSaid = (): boolean => this.signs.every((sign) => sign.test(this.output));
    await waitFor(() => !this.isRunning || hasSaid(), START_GUARD_MS).catch(() => undefined);
    if (!hasSaid()) throw new Error(`It did not start: ${this.output}`);
    return this;
  }

  get origin(): string {
    const [, shown, logged = ''] = /API +(http:\/\/\S+)\/v1|"origin":"([^"]+)"/.exec(this.output) ?? [];
    return shown ?? logged;
  }

  get key(): string | undefined {
    return /pet_test_\w+/.exec(this.output)?.[0];
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** CPU time that all threads of the process have used so far, in microseconds. */
  async cpuMicros(): Promise<number> {
    const reply = once(this.process, 'message');
    this.process.send('cpu');
    const [{ user, system }] = (await reply) as [NodeJS.CpuUsage];
    return user + system;
  }

  /** Whether the process is there. */
  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Lines of the log with this message, so far. */
  logged(message: string): Record<string, unknown>[] {
    return this.output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === message);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) this.process.kill(signal);
    await this.ended;
    return this.process.exitCode;
  }
}
