import { parseArgs } from 'node:util';
import { CASES, OWN_CASES } from './cases.mjs';
import { installPeers } from './peers/install.mjs';
import { CONTENDERS, otherCheckout, Stage } from './stage.mjs';
import { quantile, runOn, table } from './table.mjs';

/** `npm run bench`: what a request costs, here and in the peers. See README.md. */

const NAMES = CONTENDERS.map(({ name }) => name);
const USAGE = `npm run bench -- [options]

  --rounds N        interleaved rounds (3)
  --seconds S       measured in each case of each round (3)
  --only a,b        contenders: ${NAMES.join(', ')}
  --other FOLDER    also another built checkout of the service
  --cases a,b       cases: ${Object.keys(CASES).join(', ')}
`;

/** The tables of the report: heading, figure, digits. */
const PARTS = [
  ['CPU of the server, µs per request', 'server', 1],
  ['CPU of PostgreSQL, µs per request', 'postgres', 1],
  ['CPU of Redis, µs per request', 'redis', 1],
  ['Requests per second', 'perSecond', 0],
  ['Latency in ms, median', 'p50', 1],
  ['Latency in ms, 99 %', 'p99', 1],
  ['Resident memory, MiB', 'rss', 0],
];

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
else {
  const cases = chosen(options.cases, Object.keys(CASES));
  const names = chosen(options.only, NAMES);
  const contenders = CONTENDERS.filter(({ name }) => names.includes(name));
  if (options.other !== undefined) contenders.push(otherCheckout(options.other));
  if (contenders.some(({ isOurs }) => !isOurs)) installPeers();
  print(contenders, cases, await Stage.with(100_000, (stage) => measureAll(stage, contenders, cases)));
}

function chosen(text, all) {
  const wanted = text?.split(',') ?? all;
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no ${unknown}; there are ${all.join(', ')}.`);
  return all.filter((name) => wanted.includes(name));
}

/** All contenders beside each other on the same servers, in turn within each case of each round: a slow minute hits all. */
async function measureAll(stage, contenders, cases) {
  await stage.stopMaintenance();
  const running = [];
  for (const contender of contenders) running.push(await stage.start(contender));
  const results = [];
  for (let round = 1; round <= Number(options.rounds); round++)
    for (const caseName of cases)
      for (const one of running) {
        const { name, isOurs } = one.contender;
        if (!isOurs && OWN_CASES.includes(caseName)) continue;
        const span = { seconds: Number(options.seconds), isCold: round === 1 };
        const result = await stage.measure(one, caseName, span);
        results.push({ name, caseName, ...result });
        const figures = `${result.server.toFixed(1)} µs, ${Math.round(result.perSecond)}/s`;
        process.stderr.write(`${round} ${name} ${caseName}: ${figures}\n`);
      }
  return results;
}

function print(contenders, cases, results) {
  const median = (contender, caseName, part) =>
    quantile(
      results
        .filter((result) => result.name === contender.name && result.caseName === caseName)
        .map((result) => result[part]),
    );
  const sheet = (heading, rows, digits, value) => {
    const lines = rows.map((contender) => [
      contender.title,
      ...cases.map((caseName) => value(contender, caseName)?.toFixed(digits)),
    ]);
    process.stdout.write(`\n${heading}\n\n${table(['', ...cases], lines)}\n`);
  };
  process.stdout.write(
    `${runOn()}; medians of ${options.rounds} rounds of ${options.seconds} s, 64 connections, 100,000 animals\n`,
  );
  for (const { title, does, omits } of contenders)
    process.stdout.write(`\n- **${title}**: ${does}. Omits: ${omits}.`);
  process.stdout.write('\n');
  for (const [heading, part, digits] of PARTS)
    sheet(heading, contenders, digits, (contender, caseName) => median(contender, caseName, part));
  const [first, ...others] = contenders;
  sheet(`CPU of ${first.title} as a multiple of each other's`, others, 2, (other, caseName) => {
    const [one, another] = [first, other].map((contender) => median(contender, caseName, 'server'));
    return another && one / another;
  });
}
