import { setFlagsFromString } from 'node:v8';
import type { Configuration } from '../configuration/configuration.js';

/**
 * Growth of the heap since the last collection at which V8 collects old objects, in percent. 100 is a heap of about 110 MB,
 * less than it grows to before the first collection. The limit of the heap does not change.
 */
const HEAP_GROWTH = '--heap-growing-percent=100';

/**
 * Old objects are collected after 50 MB of garbage, not 10. By default V8 collects every two or three seconds under load:
 * for some 70 ms its threads use the cores, and requests take up to 40 ms.
 */
export function collectOldObjectsLess(): void {
  setFlagsFromString(HEAP_GROWTH);
}

/**
 * Most files that everything but the public listener has open: about 30 of Node.js and the log, 25 connections to
 * PostgreSQL, 64 of the management listener, 384 to webhook endpoints (attempts and idle ones), 256 that the docs send.
 */
const MAX_OTHER_FILES = 768;

/** Files that this process may have open; `Infinity` without a limit. Node.js has raised its soft limit to the hard one. */
export function openFileLimit(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | 'unlimited' } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

/**
 * The connections that the public listener keeps under a limit of open files, of which each takes one. Without room, all new
 * connections would be reset, those to PostgreSQL included.
 *
 * @returns `maxConnections`, or less: what is left when everything else has its files, at least half of the limit
 */
export function connectionsWithin(
  fileLimit: number,
  { maxConnections }: Pick<Configuration, 'maxConnections'>,
): number {
  return Math.min(maxConnections, Math.max(fileLimit - MAX_OTHER_FILES, Math.floor(fileLimit / 2)));
}
