// Runs the built service under mixed load for a while, on a real PostgreSQL and a real Redis, and reports
// minute by minute: node tools/soak/run.mjs [--minutes 10] [--rate 300]
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startRedis, startTestPostgres, temporaryFolder } from '../test-servers/dist/index.js';
import { withClient } from '../bench/data.mjs';
import { Supervised } from '../bench/processes.mjs';
import { issueKeys } from './keys.mjs';
import { Load } from './load.mjs';
import { secretsIn } from './log-check.mjs';
import { scrape } from './metrics.mjs';
import { report } from './report.mjs';

const SERVICE = fileURLToPath(new URL('../../apps/api/bundle/main.js', import.meta.url));
const START_PATIENCE_MS = 60_000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '300' } },
});
const minutes = Number(values.minutes);
const rate = Number(values.rate);

const closers = [];
try {
  const scratch = await temporaryFolder('soak');
  closers.push(() => scratch.remove());
  const postgres = await startTestPostgres();
  closers.push(() => postgres.stop());
  const redis = await startRedis();
  closers.push(() => redis.stop());
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    OPS_PORT: '0',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    API_KEY_PEPPER: randomBytes(24).toString('base64url'),
    PETSTORE_DATA_DIR: join(scratch.path, 'data'),
    // Wrong keys are part of the load and come from one address.
    ANONYMOUS_PER_MINUTE: '1000000',
    ANONYMOUS_PER_DAY: '1000000',
    BANS: 'off',
  };
  const log = join(scratch.path, 'service.log');
  const service = await Supervised.start([process.execPath, SERVICE], { env, output: log });
  closers.push(() => service.stop());
  const { origin, management } = await addresses(service);
  const keys = issueKeys(env);

  const load = new Load(origin, keys, rate);
  load.start();
  const rows = [];
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(60_000);
    const row = { minute, ...load.takeMinute(), ...(await scrape(management)) };
    rows.push(row);
    console.error(`minute ${minute}: ${row.requests} requests, ${row.errors} errors, p99 ${row.p99} ms`);
  }
  await load.stop();
  const stored = await withClient(postgres.url, async (client) => {
    const { rows: found } = await client.query('select count(*)::int as count from pets');
    return found[0].count;
  });
  await service.stop();
  const secrets = [...Object.values(keys), env.API_KEY_PEPPER];
  const { lines, found } = await secretsIn(log, secrets);
  console.log(report({ rows, rate, created: load.created, stored, lines, found, failures: load.failures }));
  const failed = rows.some(({ errors }) => errors > 0) || load.created !== stored || found > 0;
  process.exitCode = failed ? 1 : 0;
} finally {
  for (const close of closers.reverse()) await close();
}

/** Where the service listens, as its log says. */
async function addresses(service) {
  for (const until = Date.now() + START_PATIENCE_MS; Date.now() < until && !service.ended;) {
    const line = service
      .output()
      .split('\n')
      .find((text) => text.includes('"listening"'));
    if (line !== undefined) return JSON.parse(line);
    await sleep(50);
  }
  throw new Error(`The service did not start:\n${service.output()}`);
}
