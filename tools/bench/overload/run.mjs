import { parseArgs } from 'node:util';
import { CASES } from '../http/cases.mjs';
import { CONTENDERS } from '../http/contenders.mjs';
import { amount, choice } from '../http/options.mjs';
import { Stage } from '../http/stage.mjs';
import { rssOfTree } from '../shared/process-tree.mjs';
import { table } from '../shared/table.mjs';
import { OpenLoad } from './open-load.mjs';

/** `node tools/bench/overload/run.mjs`: what happens at several times the load that can be sustained. */

const USAGE = `node tools/bench/overload/run.mjs [options]

  --case NAME       one of ${[...CASES.keys()].join(', ')} (list 20)
  --times N         how many times the sustainable load (3)
  --seconds S       how long (10)
  --concurrent N    MAX_CONCURRENT_REQUESTS of the service (its default)
`;

const { values: options } = parseArgs({
  options: {
    case: { type: 'string', default: 'list 20' },
    times: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    concurrent: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

/** Below what can be sustained, for comparison: what a request takes when there is strength left. */
const CALM = 0.7;

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const [caseName] = choice(options, 'case', [...CASES.keys()]);
  const times = amount(options, 'times', 1, 10);
  const seconds = amount(options, 'seconds', 1, 120);
  const [service] = CONTENDERS.filter(({ peer }) => !peer);
  const stage = await Stage.set({ rows: 100_000, withService: true });
  try {
    const env = options.concurrent === '' ? {} : { MAX_CONCURRENT_REQUESTS: options.concurrent };
    const running = await stage.start(service, { env });
    const span = { connections: 64, seconds: 4, warmup: { seconds: 1, responses: 10_000 } };
    const { perSecond } = await stage.measure(running, caseName, span);
    process.stdout.write(`sustainable: ${Math.round(perSecond)} requests a second\n\n`);
    const load = new OpenLoad(running.port, stage.requests(running, caseName));
    await load.connect();
    const rows = [];
    for (const [name, share, length] of [
      [`${CALM} times that`, CALM, seconds / 2],
      [`${times} times that`, times, seconds],
      [`${CALM} times that, afterwards`, CALM, seconds / 2],
    ]) {
      rows.push([name, ...(await measure(load, running.pid, perSecond * share, length))]);
    }
    load.close();
    const head = ['offered', 'requests/s', '200/s', 'p50 ms', 'p99 ms', '503/s', 'p50 ms', 'p99 ms'];
    process.stdout.write(`${table([...head, 'other', 'most RSS MiB'], rows)}\n`);
  } finally {
    await stage.clear();
  }
}

async function measure(load, pid, perSecond, seconds) {
  let mostRss = 0;
  const sampler = setInterval(() => (mostRss = Math.max(mostRss, rssOfTree(pid))), 250);
  const { sent, given, broken, latencies } = await load.run(perSecond, seconds);
  clearInterval(sampler);
  const figures = (status) => {
    const sorted = (latencies.get(status) ?? []).sort((a, b) => a - b);
    const quantile = (share) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1) ?? '';
    return [(sorted.length / seconds).toFixed(0), quantile(0.5), quantile(0.99)];
  };
  const served = (latencies.get(200) ?? latencies.get(201) ?? []).length + (latencies.get(503) ?? []).length;
  return [
    (sent / seconds).toFixed(0),
    ...figures(latencies.has(201) ? 201 : 200),
    ...figures(503),
    String(sent - served + given + broken),
    mostRss.toFixed(0),
  ];
}
