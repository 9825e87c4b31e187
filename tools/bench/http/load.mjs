import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOfTree, rssOfTree } from '../shared/process-tree.mjs';
import { CASES, WRITING_CASES } from './cases.mjs';
import { Connection } from './connection.mjs';

/**
 * The load, as a process of its own: takes orders from its parent, one at a time, and responses each with
 * what it measured. It reads the clocks of the watched processes itself, so that they and the count of
 * requests are of the same span of time.
 */

/** Latencies are counted in steps of 10 µs, up to 2 s. */
const STEPS_PER_MS = 100;
const STEPS = 2_000 * STEPS_PER_MS;

/** A slow server is not waited for any longer until it is warm. */
const LONGEST_WARMUP_MS = 20_000;

const exchanges = new Map();

process.on('disconnect', () => process.exit());
process.on('message', (order) => {
  run(order).then(
    (result) => process.send({ result }),
    (error) => process.send({ failure: error.message }),
  );
});

async function run({ name, caseName, target, port, connections, warmup, seconds, watched }) {
  const prepared = exchangesOf(name, caseName, target);
  const latencies = new Uint32Array(STEPS + 1);
  let measuring = false;
  let responses = 0;
  let fail;
  const failed = new Promise((_, reject) => (fail = (reason) => reject(new Error(reason))));
  const open = Array.from(
    { length: connections },
    (_, i) =>
      new Connection(
        port,
        prepared,
        Math.floor((i * prepared.length) / connections),
        (milliseconds) => {
          responses++;
          if (measuring) latencies[Math.min(STEPS, Math.floor(milliseconds * STEPS_PER_MS))]++;
        },
        fail,
      ),
  );
  const measured = (async () => {
    const patience = performance.now() + LONGEST_WARMUP_MS;
    await sleep(warmup.seconds * 1000);
    while (responses < warmup.responses && performance.now() < patience) await sleep(50);
    const before = reading(watched);
    measuring = true;
    await sleep(seconds * 1000);
    measuring = false;
    const after = reading(watched);
    await Promise.all(open.map((connection) => connection.stop()));
    return summary(latencies, before, after);
  })();
  return Promise.race([measured, failed]).catch((error) => {
    for (const connection of open) void connection.stop();
    throw error;
  });
}

/** Those of writing cases begin anew with each measurement, as the table does. */
function exchangesOf(name, caseName, target) {
  if (WRITING_CASES.includes(caseName)) return CASES.get(caseName)(target);
  const key = `${name} ${caseName}`;
  if (!exchanges.has(key)) exchanges.set(key, CASES.get(caseName)(target));
  return exchanges.get(key);
}

/** Clocks of the watched processes and of this one, in microseconds. */
function reading(watched) {
  const cpu = {};
  for (const [part, pid] of Object.entries(watched)) cpu[part] = cpuOfTree(pid);
  const own = process.cpuUsage();
  cpu.load = own.user + own.system;
  return { at: performance.now(), cpu, rss: rssOfTree(watched.server) };
}

function summary(latencies, before, after) {
  const requests = latencies.reduce((sum, count) => sum + count, 0);
  if (requests === 0) throw new Error('not one response within the time');
  const cpu = {};
  for (const part of Object.keys(after.cpu)) cpu[part] = (after.cpu[part] - before.cpu[part]) / requests;
  return {
    requests,
    perSecond: requests / ((after.at - before.at) / 1000),
    cpu,
    p50: quantile(latencies, requests, 0.5),
    p99: quantile(latencies, requests, 0.99),
    rss: after.rss,
  };
}

function quantile(latencies, requests, share) {
  let seen = 0;
  for (let step = 0; step <= STEPS; step++) {
    seen += latencies[step];
    if (seen >= requests * share) return (step + 1) / STEPS_PER_MS;
  }
  return STEPS / STEPS_PER_MS;
}
