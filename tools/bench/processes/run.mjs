import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { CASES } from '../http/cases.mjs';
import { CONTENDERS } from '../http/contenders.mjs';
import { amount, choice } from '../http/options.mjs';
import { Stage } from '../http/stage.mjs';
import { median, table } from '../shared/table.mjs';

/**
 * `node tools/bench/processes/run.mjs`: one process on one core against two processes, on a machine of two cores.
 *
 * Nothing is left there for load, PostgreSQL and Redis, which want nearly a core themselves. So it is done in two
 * steps: both processes on the very core that the one has, everything else on the other core, which shows what the
 * division costs; and both processes on both cores together with everything else, which shows what is left of the
 * second core for them. Capacity is what the processes would serve with a core each that nothing else needs.
 */

const USAGE = `node tools/bench/processes/run.mjs [options]

  --rounds N        interleaved rounds (3)
  --seconds S       measured seconds of each case in each round (3)
  --connections N   keep-alive connections (64)
  --cases a,b       cases: ${[...CASES.keys()].join(', ')} (list 20,get)
`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    cases: { type: 'string', default: 'list 20,get' },
    help: { type: 'boolean', default: false },
  },
});

const ROWS = 100_000;
const WARM = { seconds: 1, answers: 4_000 };

/** Processes of the service, the cores that they may use, and those that everything else may use. */
const SETUPS = [
  { title: 'one process, core 0', processes: 1, cores: '0', others: '1' },
  { title: 'two processes, core 0', processes: 2, cores: '0', others: '1' },
  { title: 'two processes, both cores, as everything else', processes: 2, cores: '0,1', others: '0,1' },
];

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const rounds = amount(options, 'rounds', 1, 20);
  const span = {
    connections: amount(options, 'connections', 2, 1_000),
    seconds: amount(options, 'seconds', 0.2, 60),
    warmup: WARM,
  };
  const cases = choice(options, 'cases', [...CASES.keys()]);
  const stage = await Stage.set({ rows: ROWS, withService: true });
  try {
    const running = new Map([
      [1, await stage.start({ ...CONTENDERS[0], name: 'one' })],
      [2, await twoProcesses(stage)],
    ]);
    const results = cases.flatMap((caseName) =>
      SETUPS.map((setup) => ({ caseName, setup, one: running.get(setup.processes), figures: [] })),
    );
    for (let round = 1; round <= rounds; round++) {
      for (const { caseName, setup, one, figures } of results) {
        for (const pid of [one.pid, ...childrenOf(one.pid)]) pin(pid, setup.cores);
        for (const pid of around(stage)) pin(pid, setup.others);
        const figure = await stage.measure(one, caseName, span, workersOf(one));
        process.stderr.write(
          `${round}/${rounds} ${caseName}, ${setup.title}: ${Math.round(figure.perSecond)} req/s\n`,
        );
        figures.push(figure);
      }
    }
    process.stdout.write(`${report(results)}\n`);
  } finally {
    await stage.clear();
  }
}

/** Answers come as soon as one of them serves. */
async function twoProcesses(stage) {
  const running = await stage.start({ ...CONTENDERS[0], name: 'two' }, { env: { WEB_CONCURRENCY: '2' } });
  while (Object.keys(workersOf(running)).length < 2) await sleep(50);
  return running;
}

/** Process ids by name, as the log tells them; none of a single process. */
function workersOf(running) {
  const lines = running.output().matchAll(/"worker":(\d+),"msg":"a worker process serves"/g);
  return Object.fromEntries([...lines].map(([, pid], i) => [`worker ${i + 1}`, Number(pid)]));
}

function around({ servers, load }) {
  return [servers.postgres.pid, servers.redis.pid, load.pid].flatMap((pid) => [pid, ...childrenOf(pid)]);
}

function childrenOf(pid) {
  try {
    return execFileSync('pgrep', ['-P', String(pid)])
      .toString()
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

/** All threads of a process; those and the processes that it makes later inherit it. */
function pin(pid, cores) {
  try {
    execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' });
  } catch {
    // A session of PostgreSQL that has ended in between.
  }
}

function report(results) {
  const rows = results.map(({ caseName, setup, figures }) => {
    const middle = (pick) => median(figures.map(pick));
    const perSecond = middle((figure) => figure.perSecond);
    const alone = results.find((other) => other.caseName === caseName && other.setup.processes === 1);
    const cpu = (result) => median(result.figures.map((figure) => figure.cpu.server));
    const busier = ({ cpu }) =>
      Math.max(cpu['worker 1'], cpu['worker 2']) / (cpu['worker 1'] + cpu['worker 2']);
    return [
      `${caseName}: ${setup.title}`,
      Math.round(perSecond).toString(),
      (perSecond / median(alone.figures.map((figure) => figure.perSecond))).toFixed(2),
      cpu({ figures }).toFixed(1),
      ((setup.processes * cpu(alone)) / cpu({ figures })).toFixed(2),
      middle(({ cpu }) => cpu.redis + cpu.postgres + cpu.load).toFixed(1),
      setup.processes === 1 ? '' : `${Math.round(middle(busier) * 100)} %`,
    ];
  });
  return table(
    ['', 'req/s', 'of one', 'µs CPU', 'capacity', 'µs of load and data', 'share of the busier'],
    rows,
  );
}
