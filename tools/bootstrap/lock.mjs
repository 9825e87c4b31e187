import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './process.mjs';

const file = join(root, '.cache/bootstrap.pid');

/** Runs `work` while no other process of this workspace installs or builds; waits for one that does. */
export async function withLock(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  while (!take()) await sleep(100);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function take() {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isLeftOver()) rmSync(file, { force: true });
    return false;
  }
}

/** Whether the process that took the lock is gone, killed in the middle. */
function isLeftOver() {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
