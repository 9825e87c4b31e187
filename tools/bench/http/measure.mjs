import { cpus } from 'node:os';
import { OWN_CASES } from './cases.mjs';
import { install } from './install.mjs';
import { Stage } from './stage.mjs';

/** So many responses a case needs until V8 has compiled what it uses. */
export const FIRST_RESPONSES = 4_000;

/**
 * @typedef {object} Plan
 * @property {import('./contenders.mjs').Contender[]} contenders
 * @property {string[]} cases
 * @property {number} rounds
 * @property {number} seconds     measured, of each case in each round
 * @property {number} warmup      seconds before each measurement
 * @property {number} connections
 * @property {number} rows
 */

/**
 * One run: all contenders beside each other on the same servers, in turn within each case of each round.
 *
 * @param {Plan} plan
 * @returns {Promise<{ contender: string, caseName: string, result: object }[]>} in the order of the rounds
 */
export async function measure(plan) {
  for (const contender of plan.contenders) if (contender.peer) install(contender);
  const stage = await Stage.set({
    rows: plan.rows,
    withService: plan.contenders.some(({ peer }) => !peer),
  });
  try {
    return await measureAll(plan, stage);
  } finally {
    await stage.clear();
  }
}

/** What a reader of figures has to know of the run. */
export function conditionsOf({ rounds, seconds, connections, rows }) {
  return {
    measuredAt: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0].model,
    cores: cpus().length,
    ...{ rounds, seconds, connections, rows },
  };
}

async function measureAll({ contenders, cases, rounds, connections, seconds, warmup }, stage) {
  const running = [];
  for (const contender of contenders) running.push(await stage.start(contender));
  const measurements = [];
  for (let round = 1; round <= rounds; round++) {
    const span = {
      connections,
      seconds,
      warmup: { seconds: warmup, responses: round === 1 ? FIRST_RESPONSES : 0 },
    };
    for (const caseName of cases) {
      for (const one of running) {
        if (!one.contender.ownCases && OWN_CASES.includes(caseName)) continue;
        const result = await stage.measure(one, caseName, span);
        measurements.push({ contender: one.contender.name, caseName, result });
        progress(round, rounds, caseName, one.contender, result);
      }
    }
  }
  return measurements;
}

function progress(round, rounds, caseName, { name }, { requests, cpu, perSecond }) {
  process.stderr.write(
    `${round}/${rounds} ${caseName.padEnd(8)} ${name.padEnd(16)} ${cpu.server.toFixed(1).padStart(6)} µs  ` +
      `${Math.round(perSecond).toLocaleString('en').padStart(7)} req/s  (${requests.toLocaleString('en')} responses right)\n`,
  );
}
