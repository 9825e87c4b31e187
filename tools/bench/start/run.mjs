import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../test-servers/dist/index.js';
import { median, table } from '../shared/table.mjs';
import { installForProduction } from './production-install.mjs';
import { startedService } from './started-service.mjs';

/** `node tools/bench/start/run.mjs`: time to the first response, memory at rest, what production installs. */

const USAGE = `node tools/bench/start/run.mjs [options]

  --starts N        how often to start (5)
  --no-install      leave out the production install, which downloads packages
`;

const { values: options } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    'no-install': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** What is to be reached. */
const GOAL = { seconds: 3, rssMiB: 160 };

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const scratch = await temporaryFolder('bench-start');
  try {
    const rows = await starts(PROJECT, `${scratch.path}/data`);
    if (!options['no-install']) {
      const project = `${scratch.path}/production`;
      const { packages, mebibytes, unwanted } = await installForProduction(PROJECT, project);
      const { firstResponseMs } = await startedService(project, `${scratch.path}/data`);
      rows.push(
        ['packages of a production install', String(packages), ''],
        ['their size on disk, MiB', mebibytes.toFixed(0), ''],
        [
          'development dependencies among them',
          unwanted.length === 0 ? 'none' : unwanted.join(' '),
          verdict(unwanted.length === 0),
        ],
        ['first 200 from that install, s', (firstResponseMs / 1000).toFixed(2), ''],
      );
    }
    process.stdout.write(`${table(['', 'figure', 'goal'], rows)}\n`);
  } finally {
    await scratch.remove();
  }
}

/** The first start makes the database and is told apart; the others find it. */
async function starts(project, dataDir) {
  const first = await startedService(project, dataDir);
  const further = [];
  for (let i = 0; i < Number(options.starts); i++) further.push(await startedService(project, dataDir));
  const middle = (pick) => median(further.map(pick));
  const seconds = middle((one) => one.firstResponseMs) / 1000;
  const rss = middle((one) => one.rssMiB);
  return [
    [
      'first 200 with existing data, s',
      seconds.toFixed(2),
      `${GOAL.seconds} ${verdict(seconds <= GOAL.seconds)}`,
    ],
    ['first 200 when the database is made, s', (first.firstResponseMs / 1000).toFixed(2), ''],
    ['resident memory at rest, MiB', rss.toFixed(0), `${GOAL.rssMiB} ${verdict(rss <= GOAL.rssMiB)}`],
    ['resident memory of its PostgreSQL, MiB', middle((one) => one.postgresMiB).toFixed(0), ''],
  ];
}

function verdict(reached) {
  return reached ? 'ok' : 'missed';
}
