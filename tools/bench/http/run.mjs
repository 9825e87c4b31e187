import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeAbove } from '../shared/database.mjs';
import { CASES } from './cases.mjs';
import { CONTENDERS, otherCheckout } from './contenders.mjs';
import { install } from './install.mjs';
import { amount, choice } from './options.mjs';
import { medians, report } from './report.mjs';
import { Stage } from './stage.mjs';

/** `node tools/bench/http/run.mjs`: what a request costs, here and elsewhere. See ../README.md. */

/** So many answers a case needs until V8 has compiled what it uses. */
const FIRST_ANSWERS = 4_000;

const USAGE = `node tools/bench/http/run.mjs [options]

  --rounds N        interleaved rounds (3)
  --seconds S       measured seconds of each case in each round (4)
  --warmup S        seconds before each measurement (1); in the first round at least ${FIRST_ANSWERS} answers
  --connections N   keep-alive connections (64)
  --rows N          animals in the table (100000)
  --only a,b        contenders: ${CONTENDERS.map(({ name }) => name).join(', ')}
  --other FOLDER    also another built checkout of the service
  --cases a,b       cases: ${[...CASES.keys()].join(', ')}
  --save            also write tools/bench/results/http.json
`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    warmup: { type: 'string', default: '1' },
    connections: { type: 'string', default: '64' },
    rows: { type: 'string', default: '100000' },
    only: { type: 'string' },
    other: { type: 'string' },
    cases: { type: 'string' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const plan = {
    rounds: amount(options, 'rounds', 1, 20),
    seconds: amount(options, 'seconds', 0.2, 60),
    warmup: amount(options, 'warmup', 0, 60),
    connections: amount(options, 'connections', 1, 1_000),
    rows: amount(options, 'rows', 10_000, 10_000_000),
    contenders: choice(options, 'only', CONTENDERS, ({ name }) => name),
    cases: choice(options, 'cases', [...CASES.keys()]),
  };
  if (options.other !== undefined) plan.contenders = [otherCheckout(options.other), ...plan.contenders];
  for (const contender of plan.contenders) if (contender.peer) install(contender);

  const stage = await Stage.set({
    rows: plan.rows,
    withService: plan.contenders.some(({ peer }) => !peer),
  });
  try {
    const measurements = await measureAll(plan, stage);
    const figures = medians(measurements, plan.contenders);
    process.stdout.write(`\n${report(figures, plan.contenders)}\n`);
    if (options.save) await save(plan, figures);
  } finally {
    await stage.clear();
  }
}

async function measureAll({ contenders, cases, rounds, connections, seconds, warmup }, stage) {
  const running = [];
  for (const contender of contenders) running.push(await stage.start(contender));
  const measurements = [];
  for (let round = 1; round <= rounds; round++) {
    const span = {
      connections,
      seconds,
      warmup: { seconds: warmup, answers: round === 1 ? FIRST_ANSWERS : 0 },
    };
    for (const caseName of cases) {
      for (const one of running) {
        const result = await stage.measure(one, caseName, span);
        measurements.push({ contender: one.contender.name, caseName, result });
        progress(round, rounds, caseName, one.contender, result);
        if (caseName === 'create') await removeAbove(stage.databaseUrl, stage.rows);
      }
    }
  }
  return measurements;
}

function progress(round, rounds, caseName, { name }, { requests, cpu, perSecond }) {
  process.stderr.write(
    `${round}/${rounds} ${caseName.padEnd(8)} ${name.padEnd(16)} ${cpu.server.toFixed(1).padStart(6)} µs  ` +
      `${Math.round(perSecond).toLocaleString('en').padStart(7)} req/s  (${requests.toLocaleString('en')} answers right)\n`,
  );
}

async function save({ rounds, seconds, connections, rows }, figures) {
  const folder = fileURLToPath(new URL('../results/', import.meta.url));
  const conditions = {
    measuredAt: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0].model,
    cores: cpus().length,
    ...{ rounds, seconds, connections, rows },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}http.json`, `${JSON.stringify({ conditions, figures }, null, 2)}\n`);
}
