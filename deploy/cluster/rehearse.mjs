// `node deploy/cluster/rehearse.mjs <folder> [times] [part of a round's name]`: breaks each part of a running cluster
// under load, and writes a report in Markdown. The exit code is 1 if anything was lost, doubled or refused otherwise.
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, ROOT, run, until } from './cluster.mjs';
import { Load, PER_MINUTE } from './load.mjs';
import { isClean, report } from './report.mjs';
import { DISK_ROUNDS, REDIS_CLUSTER_ROUNDS, ROUNDS } from './rounds.mjs';
import { untilWhole } from './whole.mjs';

const [folder, times = '10', only = ''] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder that up.mjs has named.');
const cluster = new Cluster(resolve(folder));
const [BEFORE_MS, AFTER_MS, WHOLE_MS] = [3_000, 5_000, 120_000];

const issue = async (scopes, perMinute = 999_999_999) => {
  const words = [
    'keys',
    'create',
    '--name',
    'rehearsal',
    '--json',
    '--plan',
    'enterprise',
    '--scopes',
    scopes,
  ];
  const limits = ['--per-minute', `${perMinute}`, '--per-day', '999999999'];
  const tool = join(ROOT, 'apps/operator-cli/bundle/main.js');
  return JSON.parse(await run(process.execPath, [tool, ...words, ...limits], cluster.settings.environment))
    .key;
};

await untilWhole(cluster);
const load = new Load({
  read: await issue('pets:read'),
  write: await issue('pets:read,pets:write,webhooks:manage'),
  limited: await issue('pets:read', PER_MINUTE),
});
const { redis, disks } = cluster.settings;
if (!disks) console.error('No disk is filled up: up.mjs could not mount disks for it.');
const all = redis === 'cluster' ? REDIS_CLUSTER_ROUNDS : { ...ROUNDS, ...(disks && DISK_ROUNDS) };
const rounds = Object.entries(all).filter(([round]) => round.includes(only));
if (rounds.length === 0) throw new Error(`The rounds are: ${Object.keys(all).join('; ')}.`);
await load.start();
const results = [];
for (const [name, prepare] of rounds)
  for (let n = 1; n <= Number(times); n++) {
    const result = await runRound(name, prepare, n).catch((error) => ({ name, failed: String(error) }));
    results.push(result);
    console.error(new Date().toISOString().slice(11, 19), JSON.stringify(result));
    // A cluster that is not whole would make the next round another one.
    if (result.failed) await untilWhole(cluster, WHOLE_MS);
  }
await load.stop();
console.log(report(results));
process.exitCode = results.every(isClean) ? 0 : 1;

async function runRound(name, prepare, n) {
  await untilWhole(cluster, WHOLE_MS);
  const { fault, fix } = await prepare();
  load.begin(`${name} ${n}`);
  let fixed = false;
  try {
    await sleep(BEFORE_MS);
    const at = performance.now();
    const promotedAt = await fault(cluster);
    const first = await until(
      () => successes('write').find(({ sentAt }) => sentAt > (promotedAt ?? at)),
      60_000,
      'a write',
    );
    await sleep(AFTER_MS);
    fixed = true;
    await fix?.(cluster);
    await untilWhole(cluster, WHOLE_MS);
    const healedAt = performance.now();
    await load.end();
    const { requests, unavailable, inProgress, others } = load.seen;
    return {
      ...{ name, requests, unavailable, inProgress, others: summary(others), otherCount: others.length },
      firstWriteMs: Math.round(successes('write').find(({ sentAt }) => sentAt > at).doneAt - at),
      ...(promotedAt && {
        promotedMs: Math.round(promotedAt - at),
        afterPromotionMs: Math.round(first.doneAt - promotedAt),
      }),
      writeGapMs: longestGap('write', at, healedAt),
      replicaReadGapMs: longestGap('replicaRead', at, healedAt),
      primaryReadGapMs: longestGap('primaryRead', at, healedAt),
      ...(await load.check()),
    };
  } finally {
    if (!fixed) await fix?.(cluster);
    await load.end();
  }
}

function successes(kind) {
  return load.seen.successes.filter((success) => success.kind === kind);
}

/** The longest time without any success, from just before the fault until all is whole again. */
function longestGap(kind, from, to) {
  const times = successes(kind).map(({ doneAt }) => doneAt);
  const before = times.filter((time) => time <= from).at(-1) ?? from;
  const within = [before, ...times.filter((time) => time > from && time < to), to];
  return Math.round(Math.max(...within.slice(1).map((time, n) => time - within[n])));
}

function summary(lines) {
  const counts = new Map();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].slice(0, 10).map(([line, count]) => `${count} x ${line}`);
}
