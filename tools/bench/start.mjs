import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort, NodeProgram, temporaryFolder } from '../test-servers/dist/index.js';
import { cpuOfTree, rssOf } from './processes.mjs';
import { CONTENDERS, statusOf } from './stage.mjs';
import { quantile, runOn, table } from './table.mjs';

/** `node tools/bench/start.mjs`: time and CPU from the start to the first 200 with a key, and memory at rest. */

const { values: options } = parseArgs({ options: { starts: { type: 'string', default: '5' } } });
const KEY = /pet_(?:pub_)?(?:live|test)_[A-Za-z0-9]+/;
const AT_REST_MS = 3_000;

const scratch = await temporaryFolder('bench-start');
try {
  // The first start makes the embedded database, and prints a key once.
  const first = await start();
  const others = [];
  for (let i = 0; i < Number(options.starts); i++) others.push(await start(first.key));
  const row = (name, part, digits) => [
    name,
    first[part].toFixed(digits),
    quantile(others.map((one) => one[part])).toFixed(digits),
  ];
  const rows = [
    row('first 200, s', 'seconds', 2),
    row('CPU until then, s', 'cpu', 2),
    row('resident memory at rest, MiB', 'rss', 0),
  ];
  const head = ['', 'database is made', `it is there (median of ${options.starts})`];
  process.stdout.write(`${runOn()}\n\n${table(head, rows)}\n`);
} finally {
  await scratch.remove();
}

async function start(key) {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    PETSTORE_DATA_DIR: `${scratch.path}/data`,
  };
  const since = performance.now();
  const service = new NodeProgram(CONTENDERS[0].file, { env, log: `${scratch.path}/log` });
  try {
    await service.untilReady(async () => {
      key ??= KEY.exec(service.output)?.[0];
      return key !== undefined && (await statusOf(port, key)) === 200;
    });
    const seconds = (performance.now() - since) / 1_000;
    const cpu = cpuOfTree(service.pid) / 1e6;
    await sleep(AT_REST_MS);
    return { key, seconds, cpu, rss: rssOf(service.pid) };
  } finally {
    await service.stop();
  }
}
