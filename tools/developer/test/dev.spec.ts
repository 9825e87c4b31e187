import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkspaceCopy } from '@petstore/workspace-copy';

/** Compiling everything on a busy machine takes this long at most, in milliseconds. */
const TIMEOUT_MS = 120_000;

let workspace: WorkspaceCopy;
let dev: ChildProcess;
let output = '';

beforeAll(async () => {
  workspace = await WorkspaceCopy.create({ code: 'all' });
}, TIMEOUT_MS);
afterAll(async () => {
  if (dev.exitCode === null) dev.kill('SIGKILL');
  await workspace.remove();
});

/** Starts a program of the workspace, whose output is kept. */
function start(args: readonly string[]): void {
  output = '';
  dev = workspace.start(args, { PORT: '0', PETSTORE_DATA_DIR: join(workspace.path, 'data') });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
}

async function startDev(): Promise<void> {
  await workspace.write('show-pid.mjs', 'console.log(`pid ${process.pid}`);\n');
  start(['tools/run.mjs', 'dev', '--import', './show-pid.mjs']);
  await started(1);
}

/** Waits until the service has been started this often. */
async function started(times: number): Promise<void> {
  const listening = (): number => output.split('"msg":"listening"').length - 1;
  for (const until = Date.now() + TIMEOUT_MS; listening() < times;) {
    if (dev.exitCode !== null || Date.now() > until) throw new Error(`Not started ${times} times: ${output}`);
    await sleep(50);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it(
  'starts the service again when a source has changed, and leaves nothing running when it is stopped',
  async () => {
    await startDev();

    await appendFile(join(workspace.path, 'libs/pet-domain/src/index.ts'), 'export const changed = 1;\n');
    await started(2);
    const pids = [...output.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));
    expect(pids).toHaveLength(2);
    const [first = 0, second = 0] = pids;
    expect([isRunning(first), isRunning(second)]).toEqual([false, true]);

    dev.kill('SIGINT');
    expect(await once(dev, 'exit')).toEqual([0, null]);
    expect(isRunning(second)).toBe(false);
  },
  2 * TIMEOUT_MS,
);

it(
  'leaves nothing running when it is killed',
  async () => {
    await startDev();
    const [, pid] = /^pid (\d+)$/m.exec(output) ?? [];
    dev.kill('SIGKILL');
    for (const until = Date.now() + 15_000; isRunning(Number(pid)) && Date.now() < until;) {
      await sleep(50);
    }
    expect(isRunning(Number(pid))).toBe(false);
  },
  2 * TIMEOUT_MS,
);

it(
  'ends a compiler that is at work when it is killed',
  async () => {
    // A compiler that would work for ever.
    const program = `const { startChild } = await import('./tools/developer/dev/child.mjs');
    startChild(['tools/developer/dev/native-compiler.mjs', '-b', '--watch', 'libs/pet-domain'], 'inherit');`;
    start(['--input-type=module', '--eval', program]);
    for (const until = Date.now() + TIMEOUT_MS; !output.includes('Watching for file changes');) {
      if (Date.now() > until) throw new Error(`The compiler is not at work: ${output}`);
      await sleep(50);
    }
    const ended = once(dev, 'close');
    dev.kill('SIGKILL');
    // When nothing writes to its output any more.
    await ended;
  },
  2 * TIMEOUT_MS,
);
