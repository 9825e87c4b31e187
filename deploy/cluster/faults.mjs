// What is done to the parts of the cluster. `fault` does the damage, and returns when what replaces the part is there if that
// is waited for; `fix` puts the part back.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NUMBERS, primary, redisMaster, run, until } from './cluster.mjs';

export const killed = (...parts) => ({
  fault: async (cluster) => {
    await Promise.all(parts.map((part) => cluster.kill(part)));
  },
  fix: (cluster) => {
    for (const part of parts) cluster.start(part);
  },
});

/** As a machine that hangs. */
export const frozen = (...parts) => ({
  fault: (cluster) => {
    for (const part of parts) cluster.signal(part, 'SIGSTOP');
  },
  fix: (cluster) => {
    for (const part of parts) cluster.signal(part, 'SIGCONT');
  },
});

/** Patroni hangs, and its PostgreSQL goes on. */
export const patroniFrozen = (part) => ({
  ...frozen(part),
  fault: (cluster) => void process.kill(cluster.pids(part)[0], 'SIGSTOP'),
});

/** No room is left on the disk of a server of PostgreSQL. */
export const filled = (part) => {
  const file = (cluster) => join(cluster.diskOf(part), 'filler');
  return {
    fault: async (cluster) => {
      // Ends with an error when the disk is full.
      await run('dd', ['if=/dev/zero', `of=${file(cluster)}`, 'bs=64k']).catch(() => undefined);
    },
    fix: (cluster) => rmSync(file(cluster), { force: true }),
  };
};

/** A fault that is fixed after so long, whatever is served meanwhile. */
export const lasting = (seconds, { fault, fix }) => ({
  fault: async (cluster) => {
    try {
      await fault(cluster);
      await sleep(seconds * 1_000);
    } finally {
      await fix(cluster);
    }
  },
});

/** The fault of a primary, with the moment at which another server is the primary. */
export const untilPromoted = (old, { fault, fix }) => ({
  fix,
  fault: async (cluster) => {
    await fault(cluster);
    await until(() => primary(NUMBERS.filter((n) => n !== old)), 90_000, 'another primary');
    return performance.now();
  },
});

export const untilRedisMaster = (port, { fault, fix }) => ({
  fix,
  fault: async (cluster) => {
    await fault(cluster);
    await until(async () => (await redisMaster()) !== port, 30_000, 'another master of Redis');
  },
});
