import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort, temporaryFolder } from '../test-servers/dist/index.js';
import { cpuOfTree, rssOf, Supervised } from './processes.mjs';
import { quantile, table } from './table.mjs';

/** `node tools/bench/start.mjs`: time and CPU from the start to the first 200 with a key, and memory at rest. */

const { values: options } = parseArgs({ options: { starts: { type: 'string', default: '5' } } });
const SERVICE = fileURLToPath(new URL('../../apps/api/bundle/main.js', import.meta.url));
const KEY = /pet_(?:live|test)_[A-Za-z0-9]+/;
const TIMEOUT_MS = 60_000;
const AT_REST_MS = 3_000;

const scratch = await temporaryFolder('bench-start');
try {
  // The first start makes the embedded database, and prints a key once.
  const { key, ...first } = await start();
  const others = [];
  for (let i = 0; i < Number(options.starts); i++) others.push(await start(key));
  const rows = [
    ['first 200, s', 'seconds', 2],
    ['CPU until then, s', 'cpu', 2],
    ['resident memory at rest, MiB', 'rss', 0],
  ].map(([name, part, digits]) => [
    name,
    first[part].toFixed(digits),
    quantile(others.map((one) => one[part])).toFixed(digits),
  ]);
  process.stdout.write(
    `${table(['', 'database is made', `it is there (median of ${options.starts})`], rows)}\n`,
  );
} finally {
  await scratch.remove();
}

async function start(key) {
  const port = await freePort();
  const since = performance.now();
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    PETSTORE_DATA_DIR: `${scratch.path}/data`,
  };
  const service = await Supervised.start([process.execPath, SERVICE], { env, output: `${scratch.path}/log` });
  try {
    for (;;) {
      key ??= KEY.exec(service.output())?.[0];
      if (key !== undefined && (await statusOf(port, key)) === 200) break;
      if (service.ended || performance.now() - since > TIMEOUT_MS)
        throw new Error(`The service did not start:\n${service.output().slice(-3000)}`);
      await sleep(5);
    }
    const seconds = (performance.now() - since) / 1000;
    const cpu = cpuOfTree(service.pid) / 1e6;
    await sleep(AT_REST_MS);
    return { key, seconds, cpu, rss: rssOf(service.pid) };
  } finally {
    await service.stop();
  }
}

async function statusOf(port, key) {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${port}/v1/pets?limit=1`, { headers }).catch(
    () => undefined,
  );
  await response?.arrayBuffer();
  return response?.status;
}
