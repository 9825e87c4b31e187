import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CASES } from './cases.mjs';
import { CONTENDERS, otherCheckout } from './contenders.mjs';
import { install } from './install.mjs';
import { amount, choice } from './options.mjs';
import { summarise } from './profile-summary.mjs';
import { Stage } from './stage.mjs';

/** `node tools/bench/http/profile.mjs`: where the CPU time of one case goes, by package and function. */

const USAGE = `node tools/bench/http/profile.mjs [options]

  --of NAME         ours, or a peer (ours)
  --other FOLDER    another built checkout of the service instead
  --case NAME       one of ${[...CASES.keys()].join(', ')} (list 20)
  --seconds S       how long (4)
  --functions N     how many functions to name (45)
  --keep FILE       also write the profile, for a viewer of .cpuprofile files
`;

const { values: options } = parseArgs({
  options: {
    of: { type: 'string', default: 'ours' },
    other: { type: 'string' },
    case: { type: 'string', default: 'list 20' },
    seconds: { type: 'string', default: '4' },
    functions: { type: 'string', default: '45' },
    keep: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const [named] = choice(options, 'of', CONTENDERS, ({ name }) => name);
  const contender = options.other === undefined ? named : otherCheckout(options.other);
  const [caseName] = choice(options, 'case', [...CASES.keys()]);
  const seconds = amount(options, 'seconds', 0.5, 60);
  if (contender.peer) install(contender);
  const stage = await Stage.set({ rows: 100_000, withService: !contender.peer });
  try {
    const output = join(stage.scratch, 'profile.cpuprofile');
    // The modules as they were compiled: in the bundle it cannot be seen whose a function is.
    const modules = { ...contender, entry: contender.entry.replace('/bundle/', '/dist/') };
    const running = await stage.start(modules, {
      nodeOptions: ['--import', fileURLToPath(new URL('profiler-hook.mjs', import.meta.url))],
      env: { PROFILE_OUTPUT: output },
    });
    const span = { connections: 64, seconds, warmup: { seconds: 1, responses: 10_000 } };
    // The figures are of a run without the profiler, which would be counted in.
    const { cpu, perSecond } = await stage.measure(running, caseName, span);
    process.kill(running.pid, 'SIGUSR2');
    await stage.measure(running, caseName, { ...span, warmup: { seconds: 0, responses: 0 } });
    process.kill(running.pid, 'SIGUSR2');
    while (!existsSync(output) || readFileSync(output).length === 0) await sleep(50);
    await sleep(200);
    const text = readFileSync(output, 'utf8');
    if (options.keep !== undefined) writeFileSync(options.keep, text);
    const heading = `${contender.title}, ${caseName}: ${cpu.server.toFixed(1)} µs per request, ${Math.round(perSecond)} requests per second`;
    const functions = amount(options, 'functions', 1, 1_000);
    process.stdout.write(`${heading}\n\n${summarise(JSON.parse(text), cpu.server, functions)}\n`);
  } finally {
    await stage.clear();
  }
}
