import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { databaseAdvice, thisSystem } from './embedded-database.mjs';
import { ensureInstalled } from './install.mjs';
import { nx } from './nx.mjs';
import { BootstrapError, root, run } from './process.mjs';
import { endOnce, endWithNpm } from './signals.mjs';
import { test } from './test.mjs';

const LATE_OPTIMIZATION = new URL('../late-optimization.mjs', import.meta.url).href;

/** Prettier's own cache tells which files have changed. */
const PRETTIER = ['--cache', '--cache-location', '.cache/prettier', '.'];

const usage = `usage: node tools/run.mjs <command>
  start | migrate                   the programs
  key | events | webhook | import  the operator's tools
  dev ... | test:watch <project>    restart, or test again, when a file is saved
  test | nx ... | bench ...         checks and measurements
  new:lib <name>                    a new project in libs
  release <version> [--dry-run]     what CHANGELOG.md says of releases
  format | format:check             Prettier`;

const startUsage = `usage: npm start

Starts the service, on an embedded PostgreSQL unless DATABASE_URL names a server. It takes no options: settings are
environment variables, such as HOST, PORT, DATABASE_URL and REDIS_URL. docs/operations.md, "Settings", lists them.`;

/** Installs when needed, then runs one command; ends the process with an exit code when that failed. */
export async function main([command = '', ...args]) {
  if (command === 'start' && args.length > 0) {
    explainStart(args);
    return;
  }
  try {
    requireDatabase(command);
    await ensureInstalled();
    switch (command) {
      case 'start':
        endOnce();
        return await program('apps/api/bundle/main.js', args);
      case 'key':
        return await program('apps/operator-cli/bundle/main.js', args);
      case 'events':
        return await program('apps/operator-cli/bundle/events.js', args);
      case 'webhook':
        return await program('apps/operator-cli/bundle/webhooks.js', args);
      case 'import':
        return await program('apps/operator-cli/bundle/import.js', args);
      case 'migrate':
        return await program('apps/operator-cli/bundle/migrate.js', args);
      case 'bench':
        return await program('tools/bench/run.mjs', args);
      case 'dev': {
        endWithNpm();
        const { runDev } = await import('../developer/dev/run-dev.mjs');
        process.exit(await runDev(args));
        break;
      }
      case 'test:watch': {
        const { watchTests } = await import('../developer/watch/watch-tests.mjs');
        process.exitCode = await watchTests(args);
        return;
      }
      case 'new:lib': {
        const { newLib } = await import('../developer/new-lib/new-lib.mjs');
        await newLib(args);
        return;
      }
      case 'release': {
        const { release } = await import('../developer/release/release.mjs');
        await release(args);
        return;
      }
      case 'test':
        process.exitCode = await test(args);
        return;
      case 'nx':
        process.exitCode = await nx(args);
        return;
      case 'format':
        process.exitCode = await prettier('--write');
        return;
      case 'format:check':
        process.exitCode = await prettier('--check');
        return;
      default:
        throw new BootstrapError(usage);
    }
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** Prints how to start the service: the answer to `--help`, and with exit code 2 to every other option. */
function explainStart(args) {
  const unknown = args.find((arg) => arg !== '--help' && arg !== '-h');
  if (unknown === undefined) {
    console.log(startUsage);
    return;
  }
  console.error(`Unknown option: ${unknown}\n${startUsage}`);
  process.exitCode = 2;
}

/** Commands that can do nothing without a database; the others say so themselves where they need one. */
const ON_DATABASE = ['start', 'dev', 'migrate'];

function requireDatabase(command) {
  const advice = ON_DATABASE.includes(command) ? databaseAdvice(process.env, thisSystem()) : undefined;
  if (advice !== undefined) throw new BootstrapError(advice);
}

async function prettier(mode) {
  const program = ['--import', LATE_OPTIMIZATION, join(root, 'node_modules/prettier/bin/prettier.cjs')];
  return (await run(process.execPath, [...program, mode, '--log-level', 'warn', ...PRETTIER])).code;
}

/**
 * Becomes one of the programs of this workspace. It runs in this very process, so that signals, exit code,
 * input and output are its own.
 */
async function program(path, args) {
  await ensureBuilt();
  endWithNpm();
  const file = join(root, path);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}
