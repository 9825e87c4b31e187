import { parseArgs } from 'node:util';
import { CASES } from './cases.mjs';
import { CONTENDERS, otherCheckout } from './contenders.mjs';
import { FIRST_RESPONSES, measure } from './measure.mjs';
import { amount, choice } from './options.mjs';
import { medians, report } from './report.mjs';

/** `node tools/bench/http/run.mjs`: what a request costs, here and elsewhere. See ../README.md. */

const USAGE = `node tools/bench/http/run.mjs [options]

  --rounds N        interleaved rounds (3)
  --seconds S       measured seconds of each case in each round (4)
  --warmup S        seconds before each measurement (1); in the first round at least ${FIRST_RESPONSES} responses
  --connections N   keep-alive connections (64)
  --rows N          animals in the table (100000)
  --only a,b        contenders: ${CONTENDERS.map(({ name }) => name).join(', ')}
  --other FOLDER    also another built checkout of the service
  --cases a,b       cases: ${[...CASES.keys()].join(', ')}
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
  const figures = medians(await measure(plan), plan.contenders);
  process.stdout.write(`\n${report(figures, plan.contenders)}\n`);
}
