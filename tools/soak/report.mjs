import { table } from '../bench/table.mjs';

/** Minutes in which the process is still growing into its load: caches, compiled code, young generation. */
const WARM_UP = 3;

export function report({ rows, rate, created, stored, lines, found, failures }) {
  const head = ['minute', 'requests', 'errors', 'p50 ms', 'p99 ms', 'worst ms', 'RSS MiB', 'heap MiB'];
  const more = ['loop busy %', 'handles', 'files'];
  const body = rows.map((row) => [
    row.minute,
    row.requests,
    row.errors,
    row.p50,
    row.p99,
    row.max,
    row.rss.toFixed(0),
    row.heap.toFixed(0),
    (row.busy * 100).toFixed(0),
    row.handles,
    row.files,
  ]);
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const errors = rows.reduce((sum, row) => sum + row.errors, 0);
  return [
    `${rows.length} minutes at ${rate} requests a second: ${requests} requests, ${errors} errors.`,
    `Animals acknowledged: ${created}; stored: ${stored}.`,
    `Memory slope after minute ${WARM_UP}: ${slope(rows.slice(WARM_UP)).toFixed(2)} MiB a minute (RSS).`,
    `Log: ${lines} lines, ${found} of them with a secret.`,
    '',
    table([...head, ...more], body),
    ...failures.map((failure) => `- ${failure}`),
  ].join('\n');
}

/** Least squares through memory over minutes. */
function slope(rows) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(rows.map(({ minute }) => minute));
  const y = mean(rows.map(({ rss }) => rss));
  const covariance = rows.reduce((sum, { minute, rss }) => sum + (minute - x) * (rss - y), 0);
  const variance = rows.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}
