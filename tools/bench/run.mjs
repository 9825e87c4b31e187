import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { CASES, OWN_CASES } from './cases.mjs';
import { installPeers } from './peers/install.mjs';
import { CONTENDERS, otherCheckout, Stage } from './stage.mjs';
import { quantile, table } from './table.mjs';

/** `npm run bench`: what a request costs, here and in the peers. See README.md. */

const USAGE = `npm run bench -- [options]

  --rounds N        interleaved rounds (3)
  --seconds S       measured in each case of each round (3)
  --only a,b        contenders: ${CONTENDERS.map(({ name }) => name).join(', ')}
  --other FOLDER    also another built checkout of the service
  --cases a,b       cases: ${Object.keys(CASES).join(', ')}
`;

/** So many responses of a case are needed until V8 has compiled what it uses. */
const FIRST_RESPONSES = 4_000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    other: { type: 'string' },
    cases: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const cases = chosen(options.cases, Object.keys(CASES));
  const names = chosen(
    options.only,
    CONTENDERS.map(({ name }) => name),
  );
  const contenders = CONTENDERS.filter(({ name }) => names.includes(name));
  if (options.other !== undefined) contenders.push(otherCheckout(options.other));
  if (contenders.some(({ isOurs }) => !isOurs)) installPeers();
  const stage = await Stage.set(100_000);
  try {
    print(contenders, cases, await measureAll(stage, contenders, cases));
  } finally {
    await stage.clear();
  }
}

function chosen(text, all) {
  const wanted = text?.split(',') ?? all;
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no ${unknown}; there are ${all.join(', ')}.`);
  return all.filter((name) => wanted.includes(name));
}

/** All contenders beside each other on the same servers, in turn within each case of each round: a slow minute hits all. */
async function measureAll(stage, contenders, cases) {
  const running = [];
  for (const contender of contenders) running.push(await stage.start(contender));
  const results = new Map();
  for (let round = 1; round <= Number(options.rounds); round++) {
    const warmup = { seconds: 1, responses: round === 1 ? FIRST_RESPONSES : 0 };
    const span = { connections: 64, seconds: Number(options.seconds), warmup };
    for (const caseName of cases) {
      for (const one of running) {
        if (!one.contender.isOurs && OWN_CASES.includes(caseName)) continue;
        const result = await stage.measure(one, caseName, span);
        const key = `${one.contender.name} ${caseName}`;
        results.set(key, [...(results.get(key) ?? []), result]);
        process.stderr.write(
          `${round} ${key}: ${result.server.toFixed(1)} µs, ${Math.round(result.perSecond)}/s\n`,
        );
      }
    }
  }
  return results;
}

function print(contenders, cases, results) {
  const median = ({ name }, caseName, part) => {
    const rounds = results.get(`${name} ${caseName}`);
    return rounds && quantile(rounds.map((result) => result[part]));
  };
  const sheet = (heading, rows, cell) => {
    const lines = rows.map((contender) => [
      contender.title,
      ...cases.map((caseName) => cell(contender, caseName) ?? ''),
    ]);
    process.stdout.write(`\n${heading}\n\n${table(['', ...cases], lines)}\n`);
  };
  const parts = [
    ['CPU of the server, µs per request', 'server', 1],
    ['CPU of PostgreSQL, µs per request', 'postgres', 1],
    ['CPU of Redis, µs per request', 'redis', 1],
    ['Requests per second', 'perSecond', 0],
    ['Latency in ms, median', 'p50', 1],
    ['Latency in ms, 99 %', 'p99', 1],
    ['Resident memory, MiB', 'rss', 0],
  ];
  process.stdout.write(
    `${new Date().toISOString().slice(0, 10)}, Node.js ${process.version}, ${cpus().length} x ${cpus()[0].model}; ` +
      `medians of ${options.rounds} rounds of ${options.seconds} s, 64 connections, 100,000 animals\n`,
  );
  for (const [heading, part, digits] of parts)
    sheet(heading, contenders, (contender, caseName) => median(contender, caseName, part)?.toFixed(digits));
  const [first, ...others] = contenders;
  sheet(`CPU of ${first.title} as a multiple of each other's`, others, (other, caseName) => {
    const ratio = median(first, caseName, 'server') / median(other, caseName, 'server');
    return Number.isNaN(ratio) ? '' : ratio.toFixed(2);
  });
}
