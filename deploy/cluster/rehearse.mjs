// `node deploy/cluster/rehearse.mjs <folder> [times] [part of a round's name]`: breaks each part of a running cluster
// under load, and writes a report in Markdown. The exit code is 1 if anything was lost, doubled or refused otherwise.
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, ROOT, run, until, untilWhole } from './cluster.mjs';
import { Load, PER_MINUTE } from './load.mjs';
import { REDIS_CLUSTER_ROUNDS, ROUNDS } from './rounds.mjs';

const [folder, times = '10', only = ''] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder that up.mjs has named.');
const cluster = new Cluster(resolve(folder));
const [BEFORE_MS, AFTER_MS, WHOLE_MS] = [3_000, 5_000, 120_000];

const issue = async (scopes, perMinute = 999_999_999) => {
  const words = ['create', '--name', 'rehearsal', '--json', '--plan', 'enterprise', '--scopes', scopes];
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
const all = cluster.settings.redis === 'cluster' ? REDIS_CLUSTER_ROUNDS : ROUNDS;
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
console.log(report());
process.exitCode = results.every(isClean) ? 0 : 1;

async function runRound(name, prepare, n) {
  await untilWhole(cluster, WHOLE_MS);
  const { fault, mend } = await prepare();
  load.begin(`${name} ${n}`);
  let mended = false;
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
    mended = true;
    await mend?.(cluster);
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
      ...{ writeGapMs: longestGap('write', at, healedAt), readGapMs: longestGap('read', at, healedAt) },
      ...(await load.check()),
    };
  } finally {
    if (!mended) await mend?.(cluster);
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

function isClean({ failed, lost, doubled, feed, webhooks, otherCount }) {
  return !failed && [lost, doubled, feed, webhooks].every(({ length }) => length === 0) && otherCount === 0;
}

function report() {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  const head = [
    'round',
    'times',
    'written',
    '503',
    '409',
    'others',
    'lost',
    'doubled',
    'feed',
    'webhooks',
    'minute',
  ];
  const waits = ['first write', 'promotion', 'then first write', 'writes out', 'reads out'];
  const rows = [...new Set(results.map(({ name }) => name))].map((name) => {
    const done = results.filter((result) => result.name === name && !result.failed);
    const sum = (value) => done.map(value).reduce((a, b) => a + b, 0);
    const range = (member) => {
      const values = done.map((result) => result[member]).filter((value) => value !== undefined);
      const sorted = values.sort((a, b) => a - b);
      return sorted.length === 0 ? '' : `${sorted[sorted.length >> 1]}, ${sorted.at(-1)}`;
    };
    const counts = ['written', 'unavailable', 'inProgress', 'otherCount'].map((member) =>
      sum((result) => result[member]),
    );
    const faults = ['lost', 'doubled', 'feed', 'webhooks'].map((member) =>
      sum((result) => result[member].length),
    );
    const times = ['firstWriteMs', 'promotedMs', 'afterPromotionMs', 'writeGapMs', 'readGapMs'].map(range);
    const minute = Math.max(...done.map(({ mostInAMinute }) => mostInAMinute));
    return row([name, done.length, ...counts, ...faults, minute, ...times]);
  });
  const unclean = results
    .filter((result) => !isClean(result))
    .map((result) => {
      const { name, failed, others = [], lost = [], doubled = [], feed = [], webhooks = [] } = result;
      const all = [failed, ...others, ...[...lost, ...doubled, ...feed, ...webhooks].slice(0, 5).map(String)];
      return `- ${name}: ${all.filter(Boolean).join('; ')}`;
    });
  const gib = Math.round(totalmem() / 2 ** 30);
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0].model}, ${gib} GiB, Node.js ${process.versions.node}.`,
    '',
    row([...head, ...waits]),
    row([...head, ...waits].map(() => '---')),
    ...rows,
    '',
    ...(unclean.length > 0 ? ['Rounds that were not clean:', '', ...unclean] : ['All rounds were clean.']),
  ].join('\n');
}
