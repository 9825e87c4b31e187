import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of one tick of the clock in which the kernel counts CPU time. */
const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK']).toString());

const PARENT = 1;
const USER = 11;
const SYSTEM = 12;
const ENDED_CHILDREN_USER = 13;
const ENDED_CHILDREN_SYSTEM = 14;

/**
 * CPU time of a process and all below it since they started, in microseconds, ended children included.
 * Resolution: one tick, 10 ms.
 */
export function cpuOfTree(pid) {
  let ticks = 0;
  for (const member of treeOf(pid)) {
    const stat = readStat(member);
    if (stat === undefined) continue;
    ticks += stat[USER] + stat[SYSTEM] + stat[ENDED_CHILDREN_USER] + stat[ENDED_CHILDREN_SYSTEM];
  }
  return ticks * TICK_US;
}

/** Resident memory of a process and all below it, in MiB; shared pages count once for each. */
export function rssOfTree(pid) {
  return treeOf(pid).reduce((sum, member) => sum + memoryOf(member).rssMiB, 0);
}

/** Memory of a process and all below it, in MiB, in which shared pages count once altogether. */
export function pssOfTree(pid) {
  return treeOf(pid).reduce((sum, member) => sum + memoryOf(member).pssMiB, 0);
}

/** Resident memory of one process, and its share of it where it is shared, in MiB; nothing when it has ended. */
export function memoryOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    const mebibytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
    return { rssMiB: mebibytes('Rss'), pssMiB: mebibytes('Pss') };
  } catch {
    return { rssMiB: 0, pssMiB: 0 };
  }
}

function treeOf(root) {
  const children = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = readStat(name)?.[PARENT];
    if (parent === undefined) continue;
    if (children.has(parent)) children.get(parent).push(Number(name));
    else children.set(parent, [Number(name)]);
  }
  const tree = [root];
  for (let i = 0; i < tree.length; i++) tree.push(...(children.get(tree[i]) ?? []));
  return tree;
}

/** The fields after the name of the program, which may hold anything: state, parent, ... (proc(5)). */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return undefined;
  }
}
