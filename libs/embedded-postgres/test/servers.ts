import { expect } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

/** The rows of one statement, asked on a session of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // A session that breaks fails its statement too, which is what the caller hears of.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until no process names the folder in its command line any more; fails after 15 seconds. */
export async function untilNone(folder: string): Promise<void> {
  const end = Date.now() + 15_000;
  while ((await processesOf(folder)).length > 0 && Date.now() < end) await sleep(50);
  expect(await processesOf(folder)).toEqual([]);
}

/** Removes a data folder: a thousand files, for which Node takes twenty times as long as `rm`. */
export async function removeFolder(folder: string): Promise<void> {
  await promisify(execFile)('rm', ['-rf', folder]).catch(() =>
    // A server is still writing.
    rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  );
}

async function processesOf(folder: string): Promise<string[]> {
  // Nothing is seen where there is no /proc (macOS).
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes(folder));
}
