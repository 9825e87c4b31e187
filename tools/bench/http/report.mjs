import { median, table } from '../shared/table.mjs';
import { CASES } from './cases.mjs';
import { FLOOR, OURS } from './contenders.mjs';

/** What is to be reached: CPU of the server process, as a share of a peer's. */
const GOAL = {
  [FLOOR]: { 'list 20': 1.5, 'list 100': 1.25, get: 1.7, create: 1.4 },
  fastify: { 'list 20': 0.65, 'list 100': 0.7, get: 0.55, create: 0.6 },
  'nestjs-textbook': { 'list 20': 1 / 8, 'list 100': 1 / 7, get: 1 / 8, create: 1 / 6 },
};

/**
 * Medians over the rounds: contender -> case -> figures.
 *
 * @param {{ contender: string, caseName: string, result: object }[]} measurements
 * @param {import('./contenders.mjs').Contender[]} contenders
 */
export function medians(measurements, contenders) {
  const figures = {};
  for (const { name } of contenders) {
    for (const caseName of CASES.keys()) {
      const rounds = measurements
        .filter((one) => one.contender === name && one.caseName === caseName)
        .map((one) => one.result);
      if (rounds.length === 0) continue;
      const of = (pick) => round(median(rounds.map(pick)));
      figures[name] ??= {};
      figures[name][caseName] = {
        serverUs: of((one) => one.cpu.server),
        redisUs: of((one) => one.cpu.redis),
        postgresUs: of((one) => one.cpu.postgres),
        loadUs: of((one) => one.cpu.load),
        perSecond: of((one) => one.perSecond),
        p50Ms: of((one) => one.p50),
        p99Ms: of((one) => one.p99),
        rssMiB: of((one) => one.rss),
      };
    }
  }
  return figures;
}

/** The figures as Markdown tables. */
export function report(figures, contenders) {
  const titleOf = (name) => contenders.find((contender) => contender.name === name).title;
  const names = Object.keys(figures);
  const cases = [...CASES.keys()].filter((caseName) => names.some((name) => figures[name][caseName]));
  const sheet = (heading, cell) => {
    const rows = names.map((name) => [
      titleOf(name),
      ...cases.map((caseName) => {
        const found = figures[name][caseName];
        return found === undefined ? '' : cell(found);
      }),
    ]);
    return `${heading}\n\n${table(['', ...cases], rows)}`;
  };
  return [
    sheet('CPU of the server process, µs per request', ({ serverUs }) => serverUs.toFixed(1)),
    sheet('CPU of Redis, µs per request', ({ redisUs }) => redisUs.toFixed(1)),
    sheet('CPU of PostgreSQL, µs per request', ({ postgresUs }) => postgresUs.toFixed(1)),
    sheet('Requests per second', ({ perSecond }) => Math.round(perSecond).toLocaleString('en')),
    sheet(
      'Latency, ms: median / 99th percentile',
      ({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`,
    ),
    sheet('Resident memory, MiB', ({ rssMiB }) => rssMiB.toFixed(0)),
    ...ratios(figures, cases, titleOf),
    ...within(figures[OURS] ?? {}),
  ].join('\n\n');
}

function ratios(figures, cases, titleOf) {
  const ours = figures[OURS];
  if (ours === undefined) return [];
  const rows = Object.keys(figures)
    .filter((name) => name !== OURS)
    .map((name) => [
      titleOf(name),
      ...cases.map((caseName) => {
        const peer = figures[name][caseName];
        if (peer === undefined || ours[caseName] === undefined) return '';
        const ratio = ours[caseName].serverUs / peer.serverUs;
        const goal = GOAL[name]?.[caseName];
        const verdict = goal === undefined ? '' : ratio <= goal ? ' ok' : ` > ${goal.toFixed(2)}`;
        return `${ratio.toFixed(2)}${verdict}`;
      }),
    ]);
  if (rows.length === 0) return [];
  const heading = `CPU of the server process: ${titleOf(OURS)} as a multiple of each ("ok": within the goal, "> n": goal n)`;
  return [`${heading}\n\n${table(['', ...cases], rows)}`];
}

/** What one case of the service may cost, as a multiple of another one of its own. */
const GOALS_WITHIN = [
  ['patch', 'create', 1.6],
  ['feed 100', 'list 100', 1],
];

function within(ours) {
  return GOALS_WITHIN.flatMap(([one, other, goal]) => {
    if (ours[one] === undefined || ours[other] === undefined) return [];
    const ratio = ours[one].serverUs / ours[other].serverUs;
    return `${one}: ${ratio.toFixed(2)} times ${other}${ratio <= goal ? ', ok' : `, and the goal is ${goal}`}`;
  });
}

function round(value) {
  return Math.round(value * 100) / 100;
}
