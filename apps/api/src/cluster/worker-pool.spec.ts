import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import cluster from 'node:cluster';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';
import { createLog } from '../logging/log.js';
import { WorkerPool } from './worker-pool.js';

/** What each worker does, in the order in which they are started; those after the last one serve. */
type Behaviour = 'serves' | 'hangs' | 'dies' | 'says why';

const WORKER = `
import { appendFileSync, readFileSync } from 'node:fs';
const [folder, behaviours] = process.argv.slice(2);
appendFileSync(folder + '/starts', '.');
const number = readFileSync(folder + '/starts').length - 1;
const behaviour = JSON.parse(behaviours)[number] ?? 'serves';
if (behaviour === 'dies') process.exit(3);
if (behaviour === 'says why') process.send({ kind: 'failed', message: 'no room' }, () => process.exit(1));
if (behaviour === 'hangs') setInterval(() => {}, 100_000);
if (behaviour === 'serves') {
  process.on('message', ({ kind }) => {
    if (kind === 'assignment') process.send({ kind: 'ready', ready: { origin: 'http://' + number } });
  });
  process.send({ kind: 'loaded' });
}
process.on('SIGTERM', () => process.exit(0));
`;

let folder: TemporaryFolder;
let workers: WorkerPool;
let ended: number[];

beforeEach(async () => {
  folder = await temporaryFolder('workers');
  await writeFile(join(folder.path, 'worker.mjs'), WORKER);
  ended = [];
});
afterEach(async () => {
  await workers.stop().catch(() => undefined);
  await folder.remove();
});

/** With two seconds for a start. */
function workersThat(count: number, ...behaviours: Behaviour[]): WorkerPool {
  cluster.setupPrimary({
    exec: join(folder.path, 'worker.mjs'),
    args: [folder.path, JSON.stringify(behaviours)],
    execArgv: [],
    cwd: folder.path,
  });
  workers = new WorkerPool(
    { url: '', embedded: false },
    count,
    createLog('silent'),
    (pid) => ended.push(pid),
    2_000,
  );
  return workers;
}

const complete = async (): Promise<number> => {
  const since = performance.now();
  while (!workers.isComplete) await new Promise((resolve) => setTimeout(resolve, 5));
  return performance.now() - since;
};

const killOne = async (): Promise<void> => {
  const before = ended.length;
  // The oldest that is alive serves; a spare one is younger.
  const [serving] = Object.values(cluster.workers ?? {});
  serving?.process.kill('SIGKILL');
  while (ended.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('WorkerPool', () => {
  it('replaces one that hangs at its start, and one that dies there', async () => {
    expect(await workersThat(1, 'hangs', 'dies', 'serves').start()).toMatchObject({ origin: 'http://2' });
  });

  it('replaces one that dies while others start', async () => {
    await workersThat(3, 'serves', 'serves', 'dies', 'hangs').start();
    expect(workers.isComplete).toBe(true);
  });

  it('gives up its start when a worker says why it cannot serve, or none ever does', async () => {
    await expect(workersThat(1, 'says why').start()).rejects.toThrow('no room');
    // It may still be on its way out.
    await workers.stop().catch(() => undefined);
    await writeFile(join(folder.path, 'starts'), '');
    await expect(workersThat(1, 'dies', 'dies', 'dies', 'dies', 'dies').start()).rejects.toThrow(
      'A worker process ended before it was ready (code 3).',
    );
  });

  it('is complete again at once, however often one dies', async () => {
    await workersThat(1).start();
    for (let i = 0; i < 5; i++) {
      await killOne();
      expect(await complete()).toBeLessThan(1_000);
    }
  });

  it('goes on when none can be spawned, and is complete again once one can', async () => {
    await workersThat(1).start();
    // What takes the place is the spare one; another spare one cannot be spawned, nor what would replace that.
    cluster.setupPrimary({ cwd: join(folder.path, 'nowhere') });
    await killOne();
    await complete();
    await killOne();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(workers.isComplete).toBe(false);
    cluster.setupPrimary({ cwd: folder.path });
    expect(await complete()).toBeLessThan(10_000);
  });

  it('is complete again when the one that takes the place hangs', async () => {
    await workersThat(1, 'serves', 'hangs', 'says why', 'dies', 'serves').start();
    await killOne();
    expect(await complete()).toBeLessThan(10_000);
  });
});
