import { setFlagsFromString } from 'node:v8';
import type { Configuration } from '../configuration/configuration.js';

/**
 * V8 collects old objects when the heap is by this much larger than after the last collection, in percent. 100 is a heap
 * of about 110 MB, less than it grows to before the first collection. The limit of the heap stays what it is.
 */
export const HEAP_GROWTH = '--heap-growing-percent=100';

/**
 * Old objects are collected after 50 MB of garbage, not 10. By itself V8 chooses what takes no more than a thirtieth of the
 * time: here a collection every two or three seconds under load, and in each of them some 70 ms in which its threads
 * take the cores and requests up to 40 ms.
 */
export function collectOldObjectsLess(): void {
  setFlagsFromString(HEAP_GROWTH);
}

/**
 * Most files that everything but the public listener has open: about 30 of Node.js and the log, 25 connections to
 * PostgreSQL, 64 of the management listener, 384 to webhook endpoints (attempts and idle ones).
 */
const MAX_OTHER_FILES = 512;

/** Files that this process may have open; `Infinity` without a limit. Node.js has raised its soft limit to the hard one. */
export function openFileLimit(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | 'unlimited' } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

/**
 * The connections that the public listener keeps under a limit of open files. Each takes one: without room, no
 * connection would be closed for a new one, and all new ones would be reset, those to PostgreSQL included.
 *
 * @returns `maxConnections`, or less: what is left when everything else has its files, at least half of the limit
 */
export function connectionsWithin(
  fileLimit: number,
  { maxConnections }: Pick<Configuration, 'maxConnections'>,
): number {
  return Math.min(maxConnections, Math.max(fileLimit - MAX_OTHER_FILES, Math.floor(fileLimit / 2)));
}
