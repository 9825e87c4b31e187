import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './process.mjs';

/** A folder, which one process alone can make, with the id of that process. */
const LOCK = join(root, '.cache/bootstrap.lock');
const HOLDER = join(LOCK, 'pid');
/** Nothing that is installed or built takes longer, in milliseconds: after that the id may be another process's. */
const LONGEST_MS = 900_000;
/** Between the making of the folder and its file there is less time than this, in milliseconds. */
const WRITTEN_MS = 1_000;

/** Runs `work` while no other process of this workspace installs or builds; waits for one that does, and says so. */
export async function withLock(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  for (let told; !take(); await sleep(100)) {
    const holder = holderOf();
    if (holder === undefined || holder === told) continue;
    console.error(`Waiting for process ${holder}, which installs or builds here (${LOCK}).`);
    told = holder;
  }
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
    mkdirSync(LOCK);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(HOLDER, String(process.pid));
  return true;
}

function release() {
  rmSync(LOCK, { recursive: true, force: true });
}

/** The process that holds the lock; `undefined` when it is not known yet. What a killed process has left is removed. */
function holderOf() {
  const { mtimeMs } = statSync(LOCK, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs === undefined) return undefined;
  const age = Date.now() - mtimeMs;
  const holder = read();
  if (holder === undefined && age < WRITTEN_MS) return undefined;
  if (holder !== undefined && age < LONGEST_MS && isRunning(holder)) return holder;
  release();
  return undefined;
}

function read() {
  try {
    return Number(readFileSync(HOLDER, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // That of another user.
    return error.code === 'EPERM';
  }
}
