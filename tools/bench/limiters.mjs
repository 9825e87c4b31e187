import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startRedis } from '../test-servers/dist/index.js';
import { installPeers } from './peers/install.mjs';
import { cpuOfTree } from './processes.mjs';
import { quantile, runOn, table } from './table.mjs';

/** `node tools/bench/limiters.mjs`: what a decision and a key cost in six limiters, and how much each really admits. */

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const ROUND_MS = 1_500;
const CALLERS = 64;
const KEYS = 1_000;
const BUSINESS = { minuteMs: 60_000, perMinute: 1_000, perDay: 100_000 };
const ONE = { ...BUSINESS, perMinute: 1 };
const HEAD = [
  ...['limiter', 'decisions/s', 'Node µs', 'Redis µs', 'refused: Node µs', 'Redis µs'],
  ...['bytes, seen once', 'busiest', 'burst'],
];

installPeers();
const { LIMITERS } = await import('./peers/limiters.mjs');
const { Redis } = createRequire(new URL('peers/', import.meta.url))('ioredis');
const server = await startRedis();
const observed = new Redis(server.url);
const names = Object.keys(LIMITERS);
const results = [];

for (let round = 0; round < Number(options.rounds); round++) {
  // Another order in each round, so that none always follows the same one.
  for (let i = 0; i < names.length; i++) {
    const name = names[(i + round) % names.length];
    for (const plan of [BUSINESS, ONE]) {
      await observed.flushall();
      const limiter = await LIMITERS[name](server.url, plan);
      await load(limiter, 300);
      results.push({ name, plan, ...(await measured(limiter)) });
      await limiter.close();
    }
  }
  process.stderr.write(`round ${round + 1} of ${options.rounds}\n`);
}

const rows = [];
for (const name of names) {
  process.stderr.write(`bytes and burst of ${name}\n`);
  const median = (plan, part) =>
    quantile(results.filter((one) => one.name === name && one.plan === plan).map((one) => one[part]));
  const whole = (number) => Math.round(number).toLocaleString('en');
  const costs = [BUSINESS, ONE].flatMap((plan) => [median(plan, 'node'), median(plan, 'redis')]);
  rows.push([
    ...[name, whole(median(BUSINESS, 'perSecond')), ...costs.map((cost) => cost.toFixed(1))],
    ...(await bytesOfKeys(LIMITERS[name])).map(whole),
    `${Math.round((await burstOf(LIMITERS[name])) * 100)} %`,
  ]);
}
const [, version] = /redis_version:(\S+)/.exec(await observed.info('server'));
process.stdout.write(
  `${runOn()}, Redis ${version}; ` +
    `${CALLERS} callers, ${KEYS} keys, medians of ${options.rounds} interleaved rounds of ${ROUND_MS / 1000} s\n\n` +
    `${table(HEAD, rows)}\n`,
);
observed.disconnect();
await server.stop();

/** Callers each of which makes the next request as soon as the last one is decided. @returns the number of decisions */
async function load({ allow }, milliseconds) {
  const end = performance.now() + milliseconds;
  let decisions = 0;
  const call = async () => {
    while (performance.now() < end) await allow(`key:${decisions++ % KEYS}`);
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return decisions;
}

/** Decisions a second, and microseconds of CPU time for each. */
async function measured(limiter) {
  const [redisBefore, nodeBefore, start] = [cpuOfTree(server.pid), process.cpuUsage(), performance.now()];
  const decisions = await load(limiter, ROUND_MS);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(nodeBefore);
  const redis = cpuOfTree(server.pid) - redisBefore;
  return { perSecond: decisions / seconds, node: (user + system) / decisions, redis: redis / decisions };
}

/** What Redis keeps for a key seen once, and for one with 100,000 requests from all over a day and its last minute. */
async function bytesOfKeys(create) {
  let now = Date.now();
  const limiter = await create(server.url, { ...BUSINESS, perMinute: BUSINESS.perDay, clock: () => now });
  await observed.flushall();
  await limiter.allow('once');
  const seenOnce = await bytesKept();
  await observed.flushall();
  for (let i = 0; i < 1_000; i++) {
    await Promise.all(Array.from({ length: 100 }, () => limiter.allow('busy')));
    // Each of 200 steps of the day, then each of 200 steps of the minute.
    now += i < 800 ? 86_340_000 / 800 : 299;
  }
  const busiest = await bytesKept();
  await limiter.close();
  return [seenOnce, busiest];
}

async function bytesKept() {
  const keys = (await observed.keys('*')).filter((key) => !key.includes('probe:'));
  const sizes = await Promise.all(keys.map((key) => observed.memory('USAGE', key, 'SAMPLES', 0)));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * The most that a limiter admits in any true window, as a share of the limit: nearly a full window's worth just before a
 * window ends, then as much as it admits, begun at ten different times of the minute. The minute lasts two seconds here.
 */
async function burstOf(create) {
  const plan = { minuteMs: 2_000, perMinute: 60, perDay: 1_000_000 };
  const limiter = await create(server.url, plan);
  const trials = Array.from({ length: 10 }, (_, i) => mostAdmitted(limiter, plan, `burst:${i}`, i / 10));
  const most = Math.max(...(await Promise.all(trials)));
  await limiter.close();
  return most / plan.perMinute;
}

async function mostAdmitted({ allow }, { minuteMs, perMinute }, key, phase) {
  const admitted = [];
  const attempt = async () => {
    if (await allow(key)) admitted.push(performance.now());
  };
  const start = (Math.ceil(Date.now() / minuteMs) + phase) * minuteMs;
  const until = (windows) => sleep(start + windows * minuteMs - Date.now());
  await until(0);
  await attempt();
  await until(0.97);
  await Promise.all(Array.from({ length: perMinute - 1 }, attempt));
  await until(1.01);
  for (const end = start + 2.2 * minuteMs; Date.now() < end; await sleep(4)) await attempt();
  // A little less than the window, because responses are dated here and not where they were made.
  const within = (from) => admitted.filter((at) => at >= from && at - from <= minuteMs * 0.99).length;
  return Math.max(...admitted.map(within));
}
