import { readdir, readFile, readlink } from 'node:fs/promises';
import { metricsOf } from '../metrics.js';

/** What a service holds at one moment, seen from outside. */
export interface ServiceVitals {
  /** Requests that it counts as being worked on. */
  readonly inFlight: number;
  /** Connections to the public listener that it counts; `undefined` where it exports no such metric. */
  readonly connections: number | undefined;
  /** Sockets of the public listener that its process holds, whatever state they are in; Linux only. */
  readonly sockets: number | undefined;
  /** Everything else that its process holds open, but for sockets to other servers; Linux only. */
  readonly files: number | undefined;
  /** Resident memory in MiB. */
  readonly memoryMiB: number;
}

/** Reads {@link ServiceVitals} of the process `pid`; rejects when its management listener does not respond. */
export async function readVitals(
  operations: string,
  publicPort: number,
  pid: number,
): Promise<ServiceVitals> {
  const [metrics, descriptors] = await Promise.all([metricsOf(operations), descriptorsOf(pid, publicPort)]);
  return {
    inFlight: metrics.get('petstore_http_requests_in_flight') ?? NaN,
    connections: metrics.get('petstore_http_connections'),
    ...descriptors,
    memoryMiB: (metrics.get('process_resident_memory_bytes') ?? NaN) / 2 ** 20,
  };
}

async function descriptorsOf(pid: number, port: number): Promise<Pick<ServiceVitals, 'sockets' | 'files'>> {
  if (process.platform !== 'linux') return { sockets: undefined, files: undefined };
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
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').slice(1)).map((row) => row.trim().split(/\s+/));
  return new Set(
    rows
      .filter(([, address, , state]) => address?.endsWith(local) === true && state !== LISTENING)
      .map((row) => `socket:[${row[9] ?? ''}]`),
  );
}
