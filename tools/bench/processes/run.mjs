import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { CASES } from '../http/cases.mjs';
import { CONTENDERS } from '../http/contenders.mjs';
import { amount, choice } from '../http/options.mjs';
import { Stage } from '../http/stage.mjs';
import { median, table } from '../shared/table.mjs';
import { CoreShare } from './core-share.mjs';

/**
 * `node tools/bench/processes/run.mjs`: what a second process adds, on a machine of two cores.
 *
 * Load, PostgreSQL and Redis want nearly a core themselves, so that two whole cores leave none for a second
 * process. The cores that the processes get are therefore shares of the real ones: one process with such a share
 * against two with one each, and room on both cores for everything else. Beside that, the same with whole cores.
 */

const USAGE = `node tools/bench/processes/run.mjs [options]

  --rounds N        interleaved rounds (3)
  --seconds S       measured seconds of each case in each round (3)
  --connections N   keep-alive connections (128)
  --share N         what a process gets of a core's time, in per cent (40)
  --cases a,b       cases: ${[...CASES.keys()].join(', ')} (list 20,get)
`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '128' },
    share: { type: 'string', default: '40' },
    cases: { type: 'string', default: 'list 20,get' },
    help: { type: 'boolean', default: false },
  },
});

const ROWS = 100_000;
const WARM = { seconds: 1, responses: 4_000 };

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const rounds = amount(options, 'rounds', 1, 20);
  const span = {
    connections: amount(options, 'connections', 2, 1_000),
    seconds: amount(options, 'seconds', 0.2, 60),
    warmup: WARM,
  };
  const percent = amount(options, 'share', 5, 100);
  const cases = choice(options, 'cases', [...CASES.keys()]);
  const setups = setupsWith(percent);
  const shares = [];
  const stage = await Stage.set({ rows: ROWS, withService: true });
  try {
    for (const core of [0, 1]) shares.push(await CoreShare.make(`petstore-bench-${core}`, percent / 100));
    const everything = await CoreShare.make('petstore-bench-whole', 2);
    shares.push(everything);
    const running = new Map([
      [1, await stage.start({ ...CONTENDERS[0], name: 'one' })],
      [2, await twoProcesses(stage)],
    ]);
    const results = cases.flatMap((caseName) => setups.map((setup) => ({ caseName, setup, figures: [] })));
    for (let round = 1; round <= rounds; round++) {
      for (const { caseName, setup, figures } of results) {
        const one = running.get(setup.processes);
        const serving = setup.processes === 1 ? [one.pid] : Object.values(workersOf(one));
        for (const [i, pid] of serving.entries()) {
          pin(pid, setup.cores[i]);
          await (setup.shared ? shares[i] : everything).add(pid);
        }
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
    for (const share of shares) await share.remove();
  }
}

/** How many processes serve, which cores each of them may use, and which ones everything else may. */
function setupsWith(percent) {
  const each = ['0', '1'];
  const both = ['0,1', '0,1'];
  return [
    { title: `one process, ${percent} % of a core`, processes: 1, shared: true, cores: each, others: '0,1' },
    {
      title: `two processes, ${percent} % of a core each`,
      processes: 2,
      shared: true,
      cores: each,
      others: '0,1',
    },
    { title: 'one process, a whole core', processes: 1, shared: false, cores: each, others: '1' },
    { title: 'two processes, both cores', processes: 2, shared: false, cores: both, others: '0,1' },
  ];
}

/** Responses come as soon as one of them serves. */
async function twoProcesses(stage) {
  const running = await stage.start({ ...CONTENDERS[0], name: 'two' }, { env: { WEB_CONCURRENCY: '2' } });
  while (Object.keys(workersOf(running)).length < 2) await sleep(50);
  return running;
}

/** Process ids by name, as the log tells them; none of a single process. */
function workersOf(running) {
  const lines = running.output().matchAll(/"worker":(\d+),"msg":"worker ready"/g);
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
  const rows = results.map((result) => {
    const { caseName, setup, figures } = result;
    const middle = (pick) => median(figures.map(pick));
    const alone = results.find(
      (other) =>
        other.caseName === caseName && other.setup.shared === setup.shared && other.setup.processes === 1,
    );
    const busier = ({ cpu }) =>
      Math.max(cpu['worker 1'], cpu['worker 2']) / (cpu['worker 1'] + cpu['worker 2']);
    return [
      `${caseName}: ${setup.title}`,
      Math.round(perSecond(result)).toString(),
      (perSecond(result) / perSecond(alone)).toFixed(2),
      middle(({ cpu }) => cpu.server).toFixed(1),
      middle(({ cpu }) => cpu.redis + cpu.postgres + cpu.load).toFixed(1),
      setup.processes === 1 ? '' : `${Math.round(middle(busier) * 100)} %`,
    ];
  });
  return table(['', 'req/s', 'of one', 'µs CPU', 'µs of load and data', 'share of the busier'], rows);
}

function perSecond({ figures }) {
  return median(figures.map((figure) => figure.perSecond));
}
