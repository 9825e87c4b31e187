import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, ensureBuilt } from './build.mjs';
import { databaseAdvice, thisSystem } from './embedded-database.mjs';
import { ensureInstalled, INSTALLED_SETS } from './install.mjs';
import { nx } from './nx.mjs';
import { BootstrapError, root, run } from './process.mjs';
import { endOnce, endWithNpm } from './signals.mjs';
import { coverage, test, watchTests } from './test.mjs';

const SERVICE = 'apps/api/bundle/main.js';
const OPERATOR = 'apps/operator-cli/bundle/main.js';
/** Commands of the operator's program by their npm scripts. */
const OPERATOR_COMMANDS = ['key', 'events', 'webhook', 'import', 'export', 'migrate'];

/** Everything else: resolves to an exit code, or to nothing. */
const TOOLS = {
  dev: async (args) => (await import('../dev.mjs')).dev(args),
  build,
  test,
  'test:watch': watchTests,
  coverage,
  nx,
  pack: async (args) => (await build([])) || (await import('../pack.mjs')).pack(args),
  openapi: writeDocuments,
  release: async (args) => (await import('../release.mjs')).release(args),
  bench: async (args) =>
    (await build([])) || (await run(process.execPath, ['tools/bench/run.mjs', ...args])).code,
  format: () => oxfmt('--write'),
  'format:check': () => oxfmt('--check'),
};

const USAGE = `usage: node tools/run.mjs <command>
  start | migrate                   the programs
  key | events | webhook            the operator's tools
  import | export                   files of animals
  install <set> | build             all packages, or those of programs or image; all that is built
  dev ... | test:watch <project>    restart, or test again, when a file is saved
  test | coverage | nx ... | bench  checks and measurements
  pack [folder]                     packages of the published libs
  openapi                           the OpenAPI documents and the client's types
  release <version> [--date ...]    gives the changes a version
  format | format:check             oxfmt`;

const START_USAGE = `usage: npm start

Starts the service, on an embedded PostgreSQL unless DATABASE_URL names a server. It takes no options: settings are
environment variables, such as HOST, PORT, DATABASE_URL and REDIS_URL. docs/operations.md, "Settings", lists them.`;

/** Commands that cannot do anything without a database; the others report it themselves where they need one. */
const ON_DATABASE = ['start', 'dev', 'migrate'];

/** Installs and builds what is missing, then runs one command. */
export async function main([command = '', ...args]) {
  if (command === 'start' && args.length > 0) {
    explainStart(args);
    return;
  }
  endWithNpm();
  // What is installed and built can be read by every user, such as the one that runs the service.
  const umask = process.umask(0o022);
  try {
    const advice = ON_DATABASE.includes(command) ? databaseAdvice(process.env, thisSystem()) : undefined;
    if (advice !== undefined) throw new BootstrapError(advice);
    if (command === 'start' || OPERATOR_COMMANDS.includes(command)) {
      await ensureInstalled('programs');
      await ensureBuilt();
      process.umask(umask);
      if (command === 'start') {
        endOnce();
        await program(SERVICE, args);
      } else await program(OPERATOR, [command, ...args]);
    } else if (command === 'install' && INSTALLED_SETS.includes(args[0])) await ensureInstalled(args[0]);
    else if (command in TOOLS) {
      await ensureInstalled('all');
      process.exitCode = await TOOLS[command](args);
    } else throw new BootstrapError(USAGE);
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}

/** One message for what a user can fix; anything else is thrown. */
function explain(error) {
  if (error instanceof BootstrapError) return error.message;
  if (!['EACCES', 'EPERM', 'EROFS'].includes(error?.code) || error.path === undefined) throw error;
  return (
    `This user may not ${error.syscall} ${error.path} (${error.code}). Install and build as the user that the project ` +
    `belongs to (npm run build); others can then run it if they can read it (chmod -R go+rX ${root}).`
  );
}

/** Prints how to start the service: for `--help`, and with exit code 2 for every other option. */
function explainStart(args) {
  const unknown = args.find((arg) => arg !== '--help' && arg !== '-h');
  if (unknown === undefined) {
    console.log(START_USAGE);
    return;
  }
  console.error(`Unknown option: ${unknown}\n${START_USAGE}`);
  process.exitCode = 2;
}

/** Compiles the service alone: the client, and what else is made of the documents, may not compile before they are written. */
async function writeDocuments() {
  const typescript = join(root, 'node_modules/typescript/bin/tsc');
  const { code } = await run(process.execPath, [typescript, '-b', 'apps/api', 'tools/test-servers']);
  return code || (await run(process.execPath, ['tools/openapi/write.mjs'])).code;
}

async function oxfmt(mode) {
  return (await run(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), mode])).code;
}

/** Runs a program in this very process, so that signals, exit code, input and output are its own. */
async function program(path, args) {
  const file = join(root, path);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}
