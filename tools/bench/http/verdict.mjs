import { median } from '../shared/table.mjs';
import { FLOOR, OURS } from './contenders.mjs';

/** Growth of a case below this share counts for nothing, however quiet the machine was. */
const LEAST_TOLERANCE = 0.1;

/** So many typical deviations of a round are noise. */
const DEVIATIONS = 3;

/** For what is only watched loosely: counted coarsely, or dependent on when memory was last tidied up. */
const LOOSE_TOLERANCE = 0.5;

const LOOSELY = [
  { name: 'CPU of Redis', of: (figures) => sum(figures.map(({ redisUs }) => redisUs)) },
  { name: 'CPU of PostgreSQL', of: (figures) => sum(figures.map(({ postgresUs }) => postgresUs)) },
  { name: 'resident memory', of: (figures) => Math.max(...figures.map(({ rssMiB }) => rssMiB)) },
];

/**
 * What is kept of a run.
 *
 * @typedef {object} RunRecord
 * @property {Record<string, number | string>} conditions
 * @property {Record<string, Record<string, Figures>>} figures medians over the rounds: contender, case
 * @property {Record<string, number[]>} ratios of each case, round by round: CPU of the service as a multiple of the bare server's
 */

/**
 * @typedef {object} Figures
 * @property {number} redisUs    CPU of Redis per request, µs
 * @property {number} postgresUs CPU of PostgreSQL per request, µs
 * @property {number} rssMiB     resident memory of the server process
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number | undefined} then ratio in the release; undefined for a case that it did not have
 * @property {number} now              ratio in this run
 * @property {number} change           share by which the ratio grew; negative when it fell
 * @property {number} tolerance        growth up to this share is noise
 * @property {boolean} worse
 */

/**
 * CPU per request of the service as a multiple of the bare server's, for each case one ratio a round: within
 * a round the two were measured right after each other.
 *
 * @param {{ contender: string, caseName: string, result: { cpu: { server: number } } }[]} measurements
 * @returns {Record<string, number[]>}
 */
export function ratiosOf(measurements) {
  const costs = (contender, caseName) =>
    measurements
      .filter((one) => one.contender === contender && one.caseName === caseName)
      .map((one) => one.result.cpu.server);
  const ratios = {};
  for (const caseName of new Set(measurements.map((one) => one.caseName))) {
    const bare = costs(FLOOR, caseName);
    // Some cases the service has alone.
    if (bare.length === 0) continue;
    ratios[caseName] = costs(OURS, caseName).map((cost, round) => Number((cost / bare[round]).toFixed(3)));
  }
  return ratios;
}

/**
 * Compares two runs by what each says of its own bare server, so that they may come from different machines.
 *
 * A case got worse when the median of its ratios grew by more than noise: 10 %, or three times the typical
 * deviation of a round, in whichever of the two runs that is greater. CPU of Redis and of PostgreSQL and
 * memory are compared over all cases together, with half as much again allowed.
 *
 * @param {string[]} names cases, in the order of the rows
 * @param {RunRecord} then
 * @param {RunRecord} now
 * @returns {{ cases: Row[], loosely: Row[] }}
 */
export function compare(names, then, now) {
  const shared = names.filter((name) => then.ratios[name] !== undefined);
  return {
    cases: names.map((name) => compareCase(name, then.ratios[name], now.ratios[name])),
    loosely: shared.length === 0 ? [] : LOOSELY.map((watched) => compareLoosely(watched, shared, then, now)),
  };
}

function compareCase(name, then, now) {
  if (then === undefined)
    return { name, then, now: median(now), change: 0, tolerance: LEAST_TOLERANCE, worse: false };
  const noise = DEVIATIONS * Math.max(deviation(then), deviation(now));
  return row(name, median(then), median(now), Math.max(LEAST_TOLERANCE, noise));
}

function compareLoosely({ name, of }, cases, then, now) {
  const over = ({ figures }, contender) => of(cases.map((one) => figures[contender][one]));
  const ratio = (record) => over(record, OURS) / over(record, FLOOR);
  return row(name, ratio(then), ratio(now), LOOSE_TOLERANCE);
}

function row(name, then, now, tolerance) {
  const change = now / then - 1;
  return { name, then, now, change, tolerance, worse: change > tolerance };
}

/** The median distance of a round from the median round, as a share of it: one odd round does not move it. */
function deviation(ratios) {
  const middle = median(ratios);
  return median(ratios.map((ratio) => Math.abs(ratio - middle))) / middle;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
