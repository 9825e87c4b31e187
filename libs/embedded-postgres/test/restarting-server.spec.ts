import { mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parentInMemory, waitFor } from '@petstore/testing';
import { connectToRunning } from '../src/connect.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/start.js';
import { query, removeFolder, untilNone } from './servers.js';

const log = (): void => undefined;

type Report =
  | { readonly kind: 'died'; readonly pid: number; readonly said: string }
  | { readonly kind: 'restartFailed'; readonly error: unknown; readonly nextMs: number }
  | { readonly kind: 'restarted'; readonly pid: number; readonly afterMs: number };

let dataDir: string;
let server: EmbeddedPostgres;
let reports: Report[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(await parentInMemory(), 'petstore-lasting-'));
});
afterAll(() => removeFolder(dataDir));

beforeEach(async () => {
  reports = [];
  server = await startEmbeddedPostgres({
    dataDir,
    log,
    observer: {
      died: (death) => reports.push({ kind: 'died', ...death }),
      restartFailed: (failure) => reports.push({ kind: 'restartFailed', ...failure }),
      restarted: (recovery) => reports.push({ kind: 'restarted', ...recovery }),
    },
  });
});
afterEach(async () => {
  await server.stop();
  await untilNone(dataDir);
});

const restarts = (): number => reports.filter(({ kind }) => kind === 'restarted').length;

/** Kills the server without what it needs to start, until it was tried some times; returns how to give that back. */
async function keepFromStarting(attempts: number): Promise<() => Promise<void>> {
  const control = join(dataDir, 'postgres/cluster/data/global/pg_control');
  await rename(control, `${control}.moved`);
  process.kill(server.pid, 'SIGKILL');
  await waitFor(() => reports.filter(({ kind }) => kind === 'restartFailed').length >= attempts);
  return () => rename(`${control}.moved`, control);
}

describe('a server that dies by itself', () => {
  it.each(['SIGKILL', 'SIGQUIT', 'SIGTERM'] as const)(
    'of %s is back under the same address',
    async (signal) => {
      const { pid, url } = server;
      await query(url, `create table kept_${signal} as select 42 as answer`);
      process.kill(pid, signal);
      await waitFor(() => restarts() === 1);
      expect(await query(url, `select answer from kept_${signal}`)).toEqual([{ answer: 42 }]);
      expect(server.pid).not.toBe(pid);
      expect(reports).toMatchObject([
        { kind: 'died', pid },
        { kind: 'restarted', pid: server.pid, afterMs: expect.any(Number) },
      ]);
      expect(await connectToRunning(dataDir)).toBe(url);
    },
  );

  it('keeps every row that it acknowledged, however often it is killed while it is written to', async () => {
    await query(server.url, 'create table rows (n int)');
    const acknowledged: number[] = [];
    const writing = new AbortController();
    const writer = (async () => {
      for (let n = 0; !writing.signal.aborted; n++) {
        await query(server.url, `insert into rows values (${n})`).then(
          () => acknowledged.push(n),
          () => sleep(5),
        );
      }
    })();
    for (let round = 1; round <= 2; round++) {
      const before = acknowledged.length;
      await waitFor(() => acknowledged.length > before + 10);
      process.kill(server.pid, 'SIGKILL');
      await waitFor(() => restarts() === round);
    }
    writing.abort();
    await writer;
    const rows = await query(server.url, 'select n from rows');
    const kept = new Set(rows.map(({ n }) => n));
    expect(kept.size).toBe(rows.length);
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
  });

  it('is tried again for as long as it does not start, with the reason told each time', async () => {
    const repair = await keepFromStarting(3);
    await repair();
    await waitFor(() => restarts() === 1);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    const pauses = reports.flatMap((item) => (item.kind === 'restartFailed' ? [item.nextMs] : []));
    expect(pauses.slice(0, 3)).toEqual([100, 200, 400]);
    expect(reports[1]).toMatchObject({
      error: {
        reason: 'start_failed',
        message: expect.stringContaining('could not find the database system'),
      },
    });
  });
});

describe('a server that is stopped', () => {
  it('is not started again', async () => {
    await server.stop();
    expect(await connectToRunning(dataDir)).toBeUndefined();
    expect(reports).toEqual([]);
  });

  it.each([0, 15, 60])('%i ms after it was killed stays away', async (ms) => {
    process.kill(server.pid, 'SIGKILL');
    await sleep(ms);
    await server.stop();
    await untilNone(dataDir);
    await sleep(50);
    expect(await connectToRunning(dataDir)).toBeUndefined();
  });

  it('while it does not start is given up at once', async () => {
    const repair = await keepFromStarting(2);
    await server.stop();
    // The next start removes the shared memory of the one that was killed.
    await repair();
    await (await startEmbeddedPostgres({ dataDir, log })).stop();
  });
});
