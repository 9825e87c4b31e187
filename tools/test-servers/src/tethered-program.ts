import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { InstalledProgram } from './installed-program.js';

/**
 * The program is a child of a shell that reads from a pipe of this process: however this process ends, the pipe ends, and
 * with it the program, even one that hangs.
 */
const SCRIPT = `
signal=$1 libraries=$2; shift 2
if [ -n "$libraries" ]; then export LD_LIBRARY_PATH="$libraries"; fi
"$@" </dev/null >output 2>&1 &
echo $!
read -r _
kill -$signal $!
wait
`;

/** How a program is started. */
export interface TetheredProgramOptions extends Pick<SpawnOptions, 'env' | 'uid' | 'gid'> {
  /** The folder that it runs in; its file `output` has what it prints. */
  readonly cwd: string;
  /** What ends it; `KILL` unless given. */
  readonly signal?: string;
}

/** A program of the machine in a process of its own, which ends with this one, however this one ends. */
export class TetheredProgram {
  private constructor(
    private readonly shell: ChildProcess,
    readonly pid: number,
  ) {}

  static async start(
    { command, libraries = '' }: InstalledProgram,
    args: readonly string[],
    { signal = 'KILL', ...options }: TetheredProgramOptions,
  ): Promise<TetheredProgram> {
    const words = ['-c', SCRIPT, 'tethered-program', signal, libraries, command, ...args];
    const shell = spawn('/bin/sh', words, { ...options, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    // A finished test process ends, and the program with it, whether or not it was stopped.
    for (const handle of [shell, shell.stdin as Socket, shell.stdout as Socket]) handle.unref();
    return new TetheredProgram(shell, Number(line.toString()));
  }

  /** Ends it, and waits until it has ended. */
  async end(): Promise<void> {
    this.shell.ref();
    const gone = once(this.shell, 'exit');
    this.shell.stdin?.end();
    await gone;
  }
}
