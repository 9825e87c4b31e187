import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES, OWN_CASES } from './cases.mjs';
import { CONTENDERS, FLOOR, OURS } from './contenders.mjs';
import { conditionsOf, measure } from './measure.mjs';
import { amount, choice } from './options.mjs';
import { latestRecord, saveRecord } from './records.mjs';
import { medians, report } from './report.mjs';
import { doubts, verdictText } from './verdict-text.mjs';
import { compare, ratiosOf } from './verdict.mjs';

/** `npm run bench`: whether a request costs more than in the last release. See ../README.md. */

/** What the bare server has, too. */
const COMPARED = [...CASES.keys()].filter((name) => !OWN_CASES.includes(name));

const USAGE = `npm run bench -- [options]

Measures this service and a bare server, and compares their ratio with that of the last release.
Ends with 1 when a case got worse.

  --rounds N        interleaved rounds, at least 2 (5)
  --seconds S       measured seconds of each case in each round (3)
  --cases a,b       only these: ${COMPARED.join(', ')}
  --record          compare nothing, measure every contender, and keep the figures as those of the version
                    in package.json
`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    cases: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(USAGE);
else await (options.record ? keep() : guard());

async function guard() {
  const last = await latestRecord();
  if (last === undefined) throw new Error('There are no figures of a release: npm run bench -- --record.');
  const plan = planFor(
    CONTENDERS.filter(({ name }) => name === OURS || name === FLOOR),
    COMPARED,
  );
  const comparison = compare(plan.cases, last.record, await run(plan));
  process.stdout.write(`\n${verdictText(comparison, last.version)}\n`);
  if ([...comparison.cases, ...comparison.loosely].some(({ worse }) => worse)) process.exitCode = 1;
}

async function keep() {
  if (options.cases !== undefined) throw new Error('The figures of a release are those of all cases.');
  const plan = planFor(CONTENDERS, [...CASES.keys()]);
  const record = await run(plan);
  const path = await saveRecord(record);
  // What is noise here is noise in every comparison until the next release.
  const { cases } = compare(COMPARED, record, record);
  const words = [`Written to ${relative(process.cwd(), path)}.`, ...doubts(cases)];
  process.stdout.write(`\n${report(record.figures, CONTENDERS)}\n\n${words.join('\n')}\n`);
}

function planFor(contenders, cases) {
  return {
    // One round alone would tell nothing of the noise.
    rounds: amount(options, 'rounds', 2, 20),
    seconds: amount(options, 'seconds', 0.2, 60),
    warmup: 1,
    connections: 64,
    rows: 100_000,
    cases: choice(options, 'cases', cases),
    contenders,
  };
}

/** @returns {Promise<import('./verdict.mjs').RunRecord>} */
async function run(plan) {
  const measurements = await measure(plan);
  return {
    conditions: conditionsOf(plan),
    figures: medians(measurements, plan.contenders),
    ratios: ratiosOf(measurements),
  };
}
