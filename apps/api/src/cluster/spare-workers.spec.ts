import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import cluster from 'node:cluster';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';
import { createLog } from '../logging/log.js';
import { SpareWorkers } from './spare-workers.js';

/** Takes `loadMs` to load the program; a negative number ends the process instead. */
const WORKER = `
import { appendFileSync } from 'node:fs';
const [folder, loadMs] = process.argv.slice(2);
appendFileSync(folder + '/starts', '.');
if (Number(loadMs) < 0) process.exit(3);
setTimeout(() => process.send({ kind: 'loaded' }), Number(loadMs));
process.on('message', () => process.send({ kind: 'ready', ready: { origin: '' } }));
`;

const ASSIGNMENT = { url: '', embedded: false };

let folder: TemporaryFolder;
let spares: SpareWorkers | undefined;

beforeEach(async () => {
  folder = await temporaryFolder('spares');
  await writeFile(join(folder.path, 'worker.mjs'), WORKER);
});
afterEach(async () => {
  await spares?.stop();
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
  await until(() => living() === 0);
  await folder.remove();
});

function sparesThat(load: { loadMs: number }, options = { windowMs: 60_000, maxBusy: 8 }): SpareWorkers {
  cluster.setupPrimary({
    exec: join(folder.path, 'worker.mjs'),
    args: [folder.path, String(load.loadMs)],
    execArgv: [],
    cwd: folder.path,
  });
  spares = new SpareWorkers(createLog('silent'), options);
  return spares;
}

const living = (): number => Object.keys(cluster.workers ?? {}).length;

const starts = async (): Promise<number> => (await readFile(join(folder.path, 'starts'), 'utf8')).length;

async function until(is: () => boolean): Promise<void> {
  for (const end = performance.now() + 20_000; !is();) {
    await sleep(5);
    if (performance.now() > end) throw new Error('It did not come to be so.');
  }
}

describe('SpareWorkers', () => {
  it('keeps one process, and one more for each death, three at most', async () => {
    const kept = sparesThat({ loadMs: 1 });
    kept.enable();
    await until(() => living() === 1);
    for (const expected of [2, 3, 3]) {
      kept.noteDeath();
      const taken = kept.take();
      taken.kill('SIGKILL');
      await taken.exited;
      await until(() => living() === expected);
    }
  });

  it('keeps one process again after a while without a death', async () => {
    const kept = sparesThat({ loadMs: 1 }, { windowMs: 500, maxBusy: 8 });
    kept.noteDeath();
    kept.enable();
    expect(living()).toBe(2);
    await until(() => living() === 1);
    await sleep(500);
    expect(living()).toBe(1);
  });

  it('gives out the process that has loaded the program, and the next one while it loads', async () => {
    const kept = sparesThat({ loadMs: 1 });
    kept.enable();
    const [loaded] = Object.values(cluster.workers ?? {});
    await new Promise((resolve) => loaded?.once('message', resolve));
    // The first one is given out, and a second one takes its place.
    expect(kept.take().pid).toBe(loaded?.process.pid);
    const next = kept.take();
    expect(next.isLoaded).toBe(false);
    next.assign(ASSIGNMENT);
    await next.ready;
  });

  it('lets no more processes load at once than there are cores', async () => {
    const kept = sparesThat({ loadMs: 100_000 }, { windowMs: 60_000, maxBusy: 2 });
    kept.noteDeath();
    kept.noteDeath();
    kept.enable();
    await sleep(1_000);
    expect(living()).toBe(2);
  });

  it('goes on filling up as processes that load get ready', async () => {
    const kept = sparesThat({ loadMs: 100 }, { windowMs: 60_000, maxBusy: 1 });
    kept.noteDeath();
    kept.noteDeath();
    kept.enable();
    await until(() => living() === 3);
  });

  it('does not replace a process that ends while it loads at once', async () => {
    sparesThat({ loadMs: -1 }).enable();
    await until(() => living() === 1);
    await until(() => living() === 0);
    await sleep(1_000);
    expect(await starts()).toBe(1);
  });

  it('leaves no process behind when it stops', async () => {
    const kept = sparesThat({ loadMs: 100_000 });
    kept.noteDeath();
    kept.enable();
    expect(living()).toBe(2);
    await kept.stop();
    await until(() => living() === 0);
    kept.noteDeath();
    expect(living()).toBe(0);
  });
});
