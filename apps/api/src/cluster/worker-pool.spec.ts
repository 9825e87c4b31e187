import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import cluster from 'node:cluster';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';
import type { ReadinessReport } from '@petstore/observability';
import { until } from '../../test/support/until.js';
import { createLog } from '../logging/log.js';
import { groupReadiness } from './primary.js';
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
  setInterval(() => process.send({ kind: 'heartbeat' }), 200);
  process.on('message', ({ kind, id }) => {
    if (kind === 'assignment') process.send({ kind: 'ready', ready: { origin: 'http://' + number } });
    if (kind === 'request') process.send({ kind: 'reply', id, reply: { status: 'ok' } });
  });
  process.send({ kind: 'loaded' });
}
process.on('SIGTERM', () => process.exit(0));
`;

let folder: TemporaryFolder;
let workers: WorkerPool;

beforeEach(async () => {
  folder = await temporaryFolder('workers');
  await writeFile(join(folder.path, 'worker.mjs'), WORKER);
});
afterEach(async () => {
  await workers.stop().catch(() => undefined);
  await folder.remove();
});

/** Longer than any test: a worker that starts is silent, too, and takes long on a busy machine. */
const NEVER_S = 600;
/** Shorter than those of the service. */
const times = { hungAfterS: NEVER_S, restartPauseMs: 300, failedStartPauseMs: 600 };

/** Has workers killed that are silent, until the condition holds. */
async function killingSilent(condition: () => boolean, hungAfterS = 2): Promise<void> {
  times.hungAfterS = hungAfterS;
  await until(condition);
  times.hungAfterS = NEVER_S;
}

function workersThat(count: number, ...behaviours: Behaviour[]): WorkerPool {
  cluster.setupPrimary({
    exec: join(folder.path, 'worker.mjs'),
    args: [folder.path, JSON.stringify(behaviours)],
    execArgv: [],
    cwd: folder.path,
  });
  workers = new WorkerPool({ url: '', embedded: false }, count, createLog('silent'), times);
  return workers;
}

const pids = (): number[] =>
  Object.values(cluster.workers ?? {}).flatMap((worker) => worker?.process.pid ?? []);

/** Kills a worker, and resolves with the time that it took until another one serves. */
async function killOne(): Promise<number> {
  const [pid = 0] = pids();
  process.kill(pid, 'SIGKILL');
  const since = performance.now();
  await isReplaced(pid);
  return performance.now() - since;
}

const isReplaced = (pid: number): Promise<void> => until(() => !pids().includes(pid) && workers.isComplete);

describe('WorkerPool', () => {
  it('fails its start when a worker says why it cannot serve, dies or hangs', async () => {
    await expect(workersThat(2, 'serves', 'says why').start()).rejects.toThrow('no room');
    // It may still be on its way out.
    await workers.stop().catch(() => undefined);
    await writeFile(join(folder.path, 'starts'), '');
    await expect(workersThat(2, 'dies').start()).rejects.toThrow(
      'A worker process ended before it was ready (code 3).',
    );
    await writeFile(join(folder.path, 'starts'), '');
    const hanging = expect(workersThat(2, 'hangs').start()).rejects.toThrow(
      'A worker process ended before it was ready (SIGKILL).',
    );
    await killingSilent(() => pids().length === 0);
    await hanging;
  });

  it('is complete again after a pause, however often a worker dies', async () => {
    await workersThat(1).start();
    for (let i = 0; i < 3; i++) expect(await killOne()).toBeGreaterThan(times.restartPauseMs - 50);
  });

  it('goes on when none can be spawned, and is complete again once one can', async () => {
    await workersThat(1).start();
    cluster.setupPrimary({ cwd: join(folder.path, 'nowhere') });
    const complete = killOne();
    // It ends when the machine lets it.
    await until(() => !workers.isComplete);
    await sleep(2 * times.restartPauseMs);
    expect(workers.isComplete).toBe(false);
    cluster.setupPrimary({ cwd: folder.path });
    await complete;
  });

  it('is complete again when the one that takes the place hangs', async () => {
    await workersThat(1, 'serves', 'hangs').start();
    const [serves = 0] = pids();
    const complete = killOne();
    await until(() => pids().some((pid) => pid !== serves));
    const [hangs = 0] = pids();
    await killingSilent(() => !pids().includes(hangs));
    await complete;
  });

  it('has the replies of workers that were in time while this process did not run', async () => {
    await workersThat(1).start();
    const replies = workers.request('readiness');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    expect(await replies).toEqual([{ status: 'ok' }]);
  });

  it('replaces a worker that is suspended, and no other', async () => {
    await workersThat(2).start();
    const [suspended = 0, other = 0] = pids();
    process.kill(suspended, 'SIGSTOP');
    // The other one is silent for as long as a busy machine does not run it.
    await killingSilent(() => !pids().includes(suspended), 5);
    await isReplaced(suspended);
    expect(pids()).toContain(other);
  });

  it('replaces all workers by others, and keeps those whose replacement does not start', async () => {
    await workersThat(2, 'serves', 'serves', 'serves', 'serves', 'dies').start();
    const [first = 0, second = 0] = pids();
    await workers.replaceAll();
    const replaced = pids();
    expect(replaced).toHaveLength(2);
    expect(replaced).not.toContain(first);
    expect(replaced).not.toContain(second);
    await workers.replaceAll();
    expect(pids()).toEqual(replaced);
  });
});

describe('readiness of several processes', () => {
  const OK: ReadinessReport = { status: 'ok' };
  const WITHOUT_REDIS: ReadinessReport = { status: 'degraded', reasons: ['redis'] };
  const WITHOUT_DATABASE: ReadinessReport = { status: 'unavailable', reasons: ['database'] };

  it.each<[string, ReadinessReport[], number, ReadinessReport]>([
    ['ok when all are', [OK, OK], 2, OK],
    ['degraded when one is', [OK, WITHOUT_REDIS], 2, WITHOUT_REDIS],
    ['degraded while one is missing', [OK], 2, { status: 'degraded', reasons: ['workers'] }],
    [
      'degraded while one cannot serve and another can',
      [OK, WITHOUT_DATABASE],
      2,
      { status: 'degraded', reasons: ['database'] },
    ],
    ['unavailable when none can serve', [WITHOUT_DATABASE, WITHOUT_DATABASE], 2, WITHOUT_DATABASE],
    ['unavailable when there is none', [], 2, { status: 'unavailable', reasons: ['workers'] }],
  ])('is %s', (_what, reports, count, expected) => {
    expect(groupReadiness(reports, count)).toEqual(expected);
  });
});
