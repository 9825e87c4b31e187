import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { waitFor } from '../testing/dist/index.js';

const END_WITH_PARENT = new URL('../test-servers/end-with-parent.mjs', import.meta.url).href;
const START_TIMEOUT_MS = 60_000;

/** A program of Node.js that ends with this process. What it writes goes to a file. */
export class Program {
  #child;
  #output;

  constructor(file, { env, output }) {
    const log = openSync(output, 'w');
    const args = ['--import', END_WITH_PARENT, file];
    this.#child = spawn(process.execPath, args, { env, stdio: ['pipe', log, log] });
    closeSync(log);
    this.#output = output;
  }

  get pid() {
    return this.#child.pid;
  }

  /** What it has written so far. */
  get output() {
    return readFileSync(this.#output, 'utf8');
  }

  /** Waits until a server serves the first request with a key, which may come with its output. */
  async untilServing(port, keyOf) {
    const isServing = async () => {
      if (this.#hasEnded()) throw new Error('The program ended.');
      const key = keyOf();
      return key !== undefined && (await statusOf(port, key)) === 200;
    };
    await waitFor(isServing, START_TIMEOUT_MS).catch((cause) => {
      throw new Error(`It did not start:\n${this.output.slice(-3_000)}`, { cause });
    });
  }

  async stop() {
    if (this.#hasEnded()) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill();
    await gone;
  }

  #hasEnded() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** The status of the response to a read with a key; `undefined` while nothing listens. */
export async function statusOf(port, key) {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${port}/v1/pets?limit=1`, { headers }).catch(
    () => undefined,
  );
  await response?.arrayBuffer();
  return response?.status;
}

/** The kernel counts CPU time for programs in hundredths of a second, in microseconds here. */
const TICK_US = 10_000;

/** CPU time of a process and all below it since they started, in microseconds, ended children included. */
export function cpuOfTree(root) {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = processes.map((pid) => ({ pid: Number(pid), ...readStat(pid) }));
  const tree = stats.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...stats.filter(({ parent }) => parent === pid));
  return tree.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_US;
}

/** Parent, and user and system time of a process and of its ended children (proc(5)). */
function readStat(pid) {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may hold anything.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1], ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
}

/** Resident memory of a process, in MiB. */
export function rssOf(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** A file of /proc; nothing of it when the process has ended. */
function read(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
