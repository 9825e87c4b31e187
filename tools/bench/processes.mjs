import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/**
 * The program is a child of a shell that reads from a pipe of this process: however this process ends, the pipe ends,
 * and with it the program.
 */
const SCRIPT = `
exec 3<&0
"$@" </dev/null >"$OUTPUT" 2>&1 3<&- &
echo $!
(read -r _ <&3; kill -TERM $! 2>/dev/null; sleep 5; kill -KILL $! 2>/dev/null) >/dev/null &
wait $!
`;

/** A program that ends with this process. What it writes goes to a file. */
export class Supervised {
  #shell;
  #output;

  constructor(shell, pid, output) {
    this.#shell = shell;
    this.pid = pid;
    this.#output = output;
  }

  /**
   * @param {string[]} command
   * @param {{ env: Record<string, string>, output: string, cwd?: string }} options
   */
  static async start(command, { env, output, cwd }) {
    closeSync(openSync(output, 'w'));
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'supervised', ...command], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...env, OUTPUT: output },
      cwd,
      detached: true,
    });
    const [line] = await once(shell.stdout, 'data');
    return new Supervised(shell, Number(line.toString()), output);
  }

  get ended() {
    return this.#shell.exitCode !== null;
  }

  /** What the program has written so far. */
  output() {
    return readFileSync(this.#output, 'utf8');
  }

  async stop() {
    if (this.ended) return;
    const gone = once(this.#shell, 'exit');
    this.#shell.stdin.end();
    await gone;
  }
}

/** Microseconds of one tick of the clock in which the kernel counts CPU time: 10 ms on most machines. */
const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK']).toString());

/** CPU time of a process and all below it since they started, in microseconds, ended children included. */
export function cpuOfTree(pid) {
  return sum(treeOf(pid).map((member) => readStat(member)?.ticks ?? 0)) * TICK_US;
}

/** Resident memory of a process and all below it, in MiB. */
export function rssOfTree(pid) {
  return sum(treeOf(pid).map(rssOf));
}

/** Resident memory of one process, in MiB; 0 when it has ended. */
export function rssOf(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function treeOf(root) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = all.map((pid) => [Number(pid), readStat(pid)?.parent]);
  const tree = [root];
  for (const member of tree)
    tree.push(...parents.filter(([, parent]) => parent === member).map(([pid]) => pid));
  return tree;
}

/** The fields after the name of the program, which may hold anything (proc(5)). */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // User and system time, of the process and of its ended children.
    return { parent: Number(fields[1]), ticks: sum(fields.slice(11, 15).map(Number)) };
  } catch {
    return undefined;
  }
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
