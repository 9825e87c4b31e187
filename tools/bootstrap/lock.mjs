import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, startOf } from './process-start.mjs';
import { root } from './process.mjs';

/**
 * A folder with one file, whose name is the process that holds the lock: its id and its start. It appears whole, by a
 * rename that fails where there is one already, and what is left of a killed process is removed by its own name.
 */
const LOCK = join(root, '.cache/bootstrap.lock');

/** Runs `work` while no other process of this workspace installs or builds; waits for one that does, and says so. */
export async function withLock(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const name = `${process.pid}-${startOf(process.pid)}`;
  for (let told; !take(name); await sleep(100)) {
    const holder = holderOf();
    if (holder === undefined || holder === told) continue;
    console.error(`Waiting for process ${holder}, which installs or builds here (${LOCK}).`);
    told = holder;
  }
  const release = () => remove(name);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function take(name) {
  const draft = `${LOCK}-${name}`;
  try {
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, name), '');
    renameSync(draft, LOCK);
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // What Windows says of a folder that is there is EPERM.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOTDIR'].includes(error.code)) throw error;
    return false;
  }
}

/** The process that holds the lock; `undefined` when none does any more. What is left of others is removed. */
function holderOf() {
  for (const name of namesInLock()) {
    const [, pid, start] = /^(\d+)-(.*)$/.exec(name) ?? [];
    if (pid !== undefined && isRunning(Number(pid), start)) return pid;
    remove(name);
  }
  return undefined;
}

function namesInLock() {
  try {
    return readdirSync(LOCK);
  } catch (error) {
    // It has just been released, or is no lock of ours.
    if (error.code === 'ENOTDIR') rmSync(LOCK, { force: true });
    else if (error.code !== 'ENOENT') throw error;
    return [];
  }
}

function remove(name) {
  rmSync(join(LOCK, name), { recursive: true, force: true });
  try {
    rmdirSync(LOCK);
  } catch {
    // Another process holds it by now.
  }
}
