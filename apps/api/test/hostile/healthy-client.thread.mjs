// The thread of a healthy client: see healthy-client.ts. Its own event loop is not slowed by the attackers'.
import http from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

const { origin, key, everyMs, timeoutMs } = workerData;
const { hostname, port } = new URL(origin);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const delay = monitorEventLoopDelay({ resolution: 5 });
/** What was seen since the round began; none while there is no round. */
let round;

parentPort.on('message', (message) => {
  if (message === 'begin') {
    round = { outcomes: {}, latencies: [] };
    delay.reset();
    delay.enable();
  } else if (message === 'end') {
    delay.disable();
    const { outcomes, latencies } = round;
    round = undefined;
    // The histogram counts nanoseconds from one look to the next, 5 ms apart when nothing is late.
    const machineMs = Math.max(0, delay.percentile(99) / 1e6 - 5);
    parentPort.postMessage({ outcomes, latencies, machineMs });
  } else {
    agent.destroy();
    parentPort.close();
  }
});

/** Resolves with the status, or with what went wrong. */
function ask() {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${key}` };
    const request = http.get({ agent, hostname, port, path: '/v1/pets?limit=1', headers }, (reply) => {
      reply.on('end', () => resolve(String(reply.statusCode)));
      reply.on('error', (error) => resolve(error.code ?? error.message));
      reply.resume();
    });
    request.setTimeout(timeoutMs, () => request.destroy(new Error('no response')));
    request.on('error', (error) => resolve(error.code ?? error.message));
  });
}

async function turn() {
  const mine = round;
  if (mine !== undefined) {
    const since = performance.now();
    const outcome = await ask();
    mine.latencies.push(performance.now() - since);
    mine.outcomes[outcome] = (mine.outcomes[outcome] ?? 0) + 1;
  }
  setTimeout(turn, everyMs);
}

await ask();
parentPort.postMessage('ready');
await turn();
