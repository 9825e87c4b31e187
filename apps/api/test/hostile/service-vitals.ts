import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { metricsOf } from '../support/metrics.js';
import type { Program } from '../support/program.js';

/** What a program holds at one moment, seen from outside. */
export interface ServiceVitals {
  /** Requests that it counts as being worked on. */
  readonly inFlight: number;
  /** Connections to the public listener that it counts. */
  readonly connections: number;
  /** Sockets of the public listener that its process holds, whatever state they are in; Linux only. */
  readonly sockets: number | undefined;
  /** Everything else that its process holds open, but for sockets to other servers; Linux only. */
  readonly files: number | undefined;
  /** Resident memory in MiB. */
  readonly memoryMiB: number;
}

/** The origin of the management listener of a program that has started. */
export const managementOf = (program: Program): string =>
  String(program.logged('listening')[0]?.['management']);

export const portOf = (origin: string): number => Number(new URL(origin).port);

/** Rejects when the management listener does not respond. */
async function vitalsOf(program: Program): Promise<ServiceVitals> {
  const [metrics, descriptors] = await Promise.all([
    metricsOf(managementOf(program)),
    process.platform === 'linux'
      ? descriptorsOf(program.pid, portOf(program.origin))
      : { sockets: undefined, files: undefined },
  ]);
  return {
    inFlight: metrics.get('petstore_http_requests_in_flight') ?? NaN,
    connections: metrics.get('petstore_http_connections') ?? NaN,
    ...descriptors,
    memoryMiB: (metrics.get('process_resident_memory_bytes') ?? NaN) / 2 ** 20,
  };
}

async function descriptorsOf(pid: number, port: number): Promise<Pick<ServiceVitals, 'sockets' | 'files'>> {
  const names = await readdir(`/proc/${pid}/fd`);
  // One that was closed meanwhile is none.
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  const ofListener = await socketsOf(pid, port);
  return {
    sockets: targets.filter((target) => ofListener.has(target)).length,
    files: targets.filter((target) => target !== '' && !target.startsWith('socket:')).length,
  };
}

/** State of a socket that listens, as /proc/net/tcp shows it. */
const LISTENING = '0A';

/** Connections to a port, called as their descriptors are (proc(5), /proc/net/tcp). */
async function socketsOf(pid: number, port: number): Promise<ReadonlySet<string>> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const table = await readFile(`/proc/${pid}/net/tcp`, 'utf8');
  const rows = table.split('\n').map((row) => row.trim().split(/\s+/));
  const ours = rows.filter(
    ([, address, , state]) => address?.endsWith(local) === true && state !== LISTENING,
  );
  return new Set(ours.map((row) => `socket:[${row[9] ?? ''}]`));
}

/**
 * Milliseconds that the main thread of a process was ready to run while the machine ran others, since its start
 * (schedstat of Linux); 0 elsewhere.
 */
export async function runQueueMs(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const [, waited = '0'] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(waited) / 1e6;
}

/** Milliseconds between two looks at a program that comes to rest. */
const LOOK_EVERY_MS = 100;

/**
 * The vitals of a program once they are `good` and, without its garbage, it uses less than `belowMiB` of memory; after
 * `timeoutMs` the last ones. Garbage is collected only once all else is good, because it delays a program that still works.
 */
export async function vitalsAtRest(
  program: Program,
  good: (vitals: ServiceVitals) => boolean,
  belowMiB: number,
  timeoutMs: number,
): Promise<ServiceVitals> {
  let isQuiet = false;
  for (const end = performance.now() + timeoutMs; ;) {
    // Told to collect its garbage (COLLECTS_GARBAGE), a program does so in its next tick.
    if (isQuiet) process.kill(program.pid, 'SIGUSR2');
    const vitals = await vitalsOf(program);
    const isGood = good(vitals);
    if ((isQuiet && isGood && vitals.memoryMiB < belowMiB) || performance.now() > end) return vitals;
    isQuiet ||= isGood;
    await sleep(LOOK_EVERY_MS);
  }
}
