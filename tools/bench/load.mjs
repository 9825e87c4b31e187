import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../testing/dist/index.js';
import { Connection } from './connection.mjs';
import { cpuOfTree, rssOf } from './processes.mjs';
import { quantile } from './table.mjs';

/** So many responses of a case are needed until V8 has compiled what it uses; a slow server is not waited for any longer. */
const WARMUP = { seconds: 1, responses: 4_000, longestMs: 10_000 };
/** Responses before there is more than one connection: 64 first requests at once are more than a cold server stands. */
const ALONE = 20;
const LIMITS = /\r\nx-ratelimit-remaining: \d/i;

/**
 * Sends the requests of a case, each connection the next one when its response is there, and checks every response.
 *
 * @param {{
 *   port: number, exchanges: import('./cases.mjs').Exchange[], connections: number, seconds: number,
 *   isCold: boolean, watched: Record<'server' | 'postgres' | 'redis', number> }} measurement
 *   `watched` names processes, `isCold` says that no request of this kind has been sent before
 * @returns {Promise<Record<'server' | 'postgres' | 'redis' | 'perSecond' | 'p50' | 'p99' | 'rss', number>>}
 *   CPU in microseconds per request, latencies in milliseconds, resident memory in MiB
 * @throws Error for a wrong response
 */
export async function measure({ port, exchanges, connections, seconds, isCold, watched }) {
  const latencies = [];
  let isDone = false;
  const drive = async (connection, first) => {
    for (let i = first; !isDone; i = (i + 1) % exchanges.length) {
      const request = exchanges[i].request();
      const sentAt = performance.now();
      const response = await connection.send(request);
      latencies.push(performance.now() - sentAt);
      const problem = problemOf(exchanges[i], response);
      if (problem !== undefined) throw new Error(`${request.toString().split('\r\n', 1)[0]}: ${problem}`);
    }
    connection.close();
  };
  const drivers = [];
  const failures = [];
  const begin = async (count) => {
    for (let n = 0; n < count; n++) {
      const first = Math.floor((drivers.length * exchanges.length) / connections);
      drivers.push(drive(await Connection.open(port), first).catch((error) => void failures.push(error)));
    }
  };
  const responses = (count, timeoutMs) =>
    waitFor(() => latencies.length >= count || failures.length > 0, timeoutMs).catch(() => undefined);

  await begin(1);
  await responses(ALONE);
  await begin(connections - 1);
  await sleep(WARMUP.seconds * 1_000);
  if (isCold) await responses(WARMUP.responses, WARMUP.longestMs);
  const [before, warm] = [reading(watched), latencies.length];
  await sleep(seconds * 1_000);
  const [after, count] = [reading(watched), latencies.length - warm];
  isDone = true;
  await Promise.all(drivers);
  if (failures.length > 0) throw failures[0];
  if (count === 0) throw new Error('no response within the time');
  const measured = latencies.slice(warm, warm + count);
  const perRequest = (part) => (after.cpu[part] - before.cpu[part]) / count;
  return {
    ...Object.fromEntries(Object.keys(watched).map((part) => [part, perRequest(part)])),
    perSecond: count / ((after.at - before.at) / 1_000),
    p50: quantile(measured),
    p99: quantile(measured, 0.99),
    rss: rssOf(watched.server),
  };
}

function reading(watched) {
  const cpu = Object.fromEntries(Object.entries(watched).map(([part, pid]) => [part, cpuOfTree(pid)]));
  return { at: performance.now(), cpu };
}

/** What is wrong with a response, if anything is. */
function problemOf(exchange, { status, head, body }) {
  if (status !== exchange.status) return `expected ${exchange.status}, got:\n${head}\n${body}`;
  if (!LIMITS.test(head)) return `no limit headers:\n${head}`;
  if (exchange.header?.test(head) === false) return `no ${exchange.header}:\n${head}`;
  if (exchange.body?.equals(body) || exchange.accepts(JSON.parse(body.toString()))) return undefined;
  return `wrong body: ${body}`;
}
