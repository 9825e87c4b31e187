import { setTimeout as sleep } from 'node:timers/promises';
import { CASES } from './cases.mjs';
import { Connection } from './connection.mjs';
import { cpuOfTree, rssOfTree } from './processes.mjs';
import { quantile } from './table.mjs';

/**
 * The load, as a process of its own: receives one measurement at a time from its parent and sends back the figures. It
 * reads the CPU times of the watched processes itself, so that they and the count of requests are of the same span.
 */

/** Responses before there is more than one connection. */
const ALONE = 20;
/** A slow server is not waited for any longer until it is warm. */
const LONGEST_WARMUP_MS = 10_000;

process.on('disconnect', () => process.exit());
process.on('message', (measurement) => {
  run(measurement).then(
    (result) => process.send({ result }),
    (error) => process.send({ failure: error.message }),
  );
});

async function run({ caseName, target, port, connections, warmup, seconds, watched }) {
  const exchanges = CASES[caseName](target);
  let latencies;
  let responses = 0;
  let fail;
  const failed = new Promise((_, reject) => (fail = (reason) => reject(new Error(reason))));
  const onResponse = (milliseconds) => {
    responses++;
    latencies?.push(milliseconds);
  };
  const open = [];
  const measured = async () => {
    const longest = performance.now() + LONGEST_WARMUP_MS;
    // One connection alone at first: 64 first requests at once are more than a cold server stands.
    for (let i = 0; i < connections; i++) {
      const first = Math.floor((i * exchanges.length) / connections);
      open.push(new Connection({ port, exchanges, first }, onResponse, fail));
      while (responses < ALONE) await sleep(10);
    }
    await sleep(warmup.seconds * 1000);
    while (responses < warmup.responses && performance.now() < longest) await sleep(50);
    const before = reading(watched);
    latencies = [];
    await sleep(seconds * 1000);
    const counted = latencies;
    latencies = undefined;
    const after = reading(watched);
    await Promise.all(open.map((connection) => connection.stop()));
    if (counted.length === 0) throw new Error('no response within the time');
    return {
      perSecond: counted.length / ((after.at - before.at) / 1000),
      p50: quantile(counted),
      p99: quantile(counted, 0.99),
      rss: after.rss,
      ...Object.fromEntries(
        Object.keys(watched).map((part) => [part, (after.cpu[part] - before.cpu[part]) / counted.length]),
      ),
    };
  };
  return Promise.race([measured(), failed]);
}

function reading(watched) {
  const cpu = Object.fromEntries(Object.entries(watched).map(([part, pid]) => [part, cpuOfTree(pid)]));
  return { at: performance.now(), cpu, rss: rssOfTree(watched.server) };
}
