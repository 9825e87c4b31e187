import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts CPU time for programs in hundredths of a second, in microseconds here. */
const TICK_US = 10_000;

/** CPU time of a process and all below it since they started, in microseconds, ended children included. */
export function cpuOfTree(root) {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = processes.map((pid) => ({ pid: Number(pid), ...readStat(pid) }));
  const tree = stats.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...stats.filter(({ parent }) => parent === pid));
  return tree.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_US;
}

/** Parent, and user and system time of a process and of its ended children (proc(5)). */
function readStat(pid) {
  // The name of the program, in parentheses, may hold anything.
  const [, rest = ''] = /^.*\) (.*)$/s.exec(read(`/proc/${pid}/stat`)) ?? [];
  const fields = rest.split(' ').map(Number);
  return { parent: fields[1], ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
}

/** Resident memory of a process, in MiB. */
export function rssOf(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** A file of /proc; nothing of it when the process has ended. */
function read(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
