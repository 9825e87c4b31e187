// Prints one table: what a decision costs, what a key takes, and what each contender lets through.
import { cpus } from 'node:os';
import { Redis } from 'ioredis';
import { startRedis } from '../../test-servers/dist/index.js';
import { burstOf } from './burst.mjs';
import { contenders } from './contenders.mjs';

const ROUNDS = Number(process.argv[2] ?? 5);
const ROUND_MS = 1_500;
const CALLERS = 64;
const KEYS = 1_000;
const BUSINESS = { minuteMs: 60_000, perMinute: 1_000, perDay: 100_000 };
const ONE = { minuteMs: 60_000, perMinute: 1, perDay: 100_000 };

const server = await startRedis();
const observed = new Redis(server.url);
const names = Object.keys(contenders);
const results = Object.fromEntries(names.map((name) => [name, { admitted: [], refused: [] }]));

for (let round = 0; round < ROUNDS; round++) {
  // Another order each round, so that nobody always runs on the heels of the same one.
  for (let i = 0; i < names.length; i++) {
    const name = names[(i + round) % names.length];
    for (const [kind, plan] of [
      ['admitted', BUSINESS],
      ['refused', ONE],
    ]) {
      await observed.flushall();
      const contender = await contenders[name](server.url, plan);
      await load(contender, 300);
      results[name][kind].push(await measured(() => load(contender, ROUND_MS)));
      await contender.close();
    }
  }
  console.error(`round ${round + 1} of ${ROUNDS}`);
}

const rows = [];
for (const name of names) {
  console.error(`bytes and burst of ${name}`);
  rows.push({
    name,
    ...median('admitted', results[name].admitted),
    ...median('refused', results[name].refused),
    bytes: await bytesOfFullKey(name),
    burst: await burstOf(contenders[name], server.url),
  });
}
print(rows);
observed.disconnect();
await server.stop();

/** 64 callers, each with the next request as soon as the last one is served. */
async function load({ allow }, milliseconds) {
  const end = performance.now() + milliseconds;
  let decisions = 0;
  let next = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < end) {
        await allow(`key:${next++ % KEYS}`);
        decisions++;
      }
    }),
  );
  return decisions;
}

async function measured(run) {
  const redisBefore = await redisCpu();
  const nodeBefore = process.cpuUsage();
  const start = performance.now();
  const decisions = await run();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(nodeBefore);
  const redis = (await redisCpu()) - redisBefore;
  return { perSecond: decisions / seconds, node: (user + system) / decisions, redis: redis / decisions };
}

/** Microseconds of processor time that Redis has used. */
async function redisCpu() {
  const info = await observed.info('cpu');
  const [, system] = /used_cpu_sys:([\d.]+)/.exec(info);
  const [, user] = /used_cpu_user:([\d.]+)/.exec(info);
  return (Number(system) + Number(user)) * 1e6;
}

/** What Redis keeps for a key that has used up 100,000 requests of a day, and its minute. */
async function bytesOfFullKey(name) {
  await observed.flushall();
  // Ours is led through a whole day; the others need no more than the number.
  const exact = name.startsWith('petstore');
  let now = Date.now();
  const plan = exact ? BUSINESS : { ...BUSINESS, perMinute: BUSINESS.perDay };
  const contender = await contenders[name](server.url, plan, () => now);
  for (let i = 0; i < BUSINESS.perDay; i += 100) {
    const lastMinute = i >= BUSINESS.perDay - BUSINESS.perMinute;
    await Promise.all(Array.from({ length: 100 }, () => contender.allow('full')));
    now += lastMinute ? 1 : (86_400_000 / BUSINESS.perDay) * 100;
  }
  await contender.close();
  let bytes = 0;
  for (const key of await observed.keys('*')) bytes += await observed.memory('USAGE', key, 'SAMPLES', 0);
  return bytes;
}

function median(kind, all) {
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  return {
    [`${kind}Rate`]: middle(all.map(({ perSecond }) => perSecond)),
    [`${kind}Node`]: middle(all.map(({ node }) => node)),
    [`${kind}Redis`]: middle(all.map(({ redis }) => redis)),
  };
}

function print(rows) {
  const [{ model }] = cpus();
  const whole = (number) => Math.round(number).toLocaleString('en');
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${model.trim()}, Node ${process.version}, Redis`,
  );
  console.log(
    `${CALLERS} callers, ${KEYS} keys, medians of ${ROUNDS} interleaved rounds of ${ROUND_MS} ms\n`,
  );
  console.log(
    '| limiter | decisions/s | Node µs | Redis µs | refused: Node µs | Redis µs | bytes per key | burst |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const row of rows) {
    const cells = [
      row.name,
      whole(row.admittedRate),
      ...[row.admittedNode, row.admittedRedis, row.refusedNode, row.refusedRedis].map((value) =>
        value.toFixed(1),
      ),
      whole(row.bytes),
      `${Math.round(row.burst * 100)} %`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
