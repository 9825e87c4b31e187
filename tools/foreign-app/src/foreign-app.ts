import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, NodeProgram, temporaryFolder } from '@petstore/test-servers';
import { runCommand } from './command.js';
import { requiredPeers } from './manifest.js';
import { installPacked, link, WORKSPACE } from './packed-lib.js';

/** What an application is made of. */
export interface ForeignAppOptions {
  /** The libs under test, by their folder in the workspace: `libs/rate-limit`. They have to be built. */
  readonly libs: readonly string[];
  /** Packages of others that the application depends on; each is a dependency of this project, too. */
  readonly dependencies: readonly string[];
  /** Its sources by their names: TypeScript, in ECMAScript modules. */
  readonly files: Readonly<Record<string, string>>;
}

/** An application that listens. */
export interface RunningApp {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** What it has printed so far. */
  readonly output: () => string;
  /** Stops it (SIGTERM); resolves to its exit code, or to the signal that it ended by. */
  stop(): Promise<number | string>;
}

/** A foreign application in a temporary folder, with the packed libs. */
export interface ForeignApp {
  readonly folder: string;
  /**
   * Runs one of the files: `main.ts`. It has to listen on the port that the variable PORT names.
   *
   * @throws Error with its output, when it ends before it listens
   */
  start(file: string, environment?: Readonly<Record<string, string>>): Promise<RunningApp>;
  remove(): Promise<void>;
}

const OWN_PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url));
const TSC = join(WORKSPACE, 'node_modules/typescript/bin/tsc');

/** Strict, and with what Nest needs. */
const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext', types: ['node'], strict: true },
    ...{ experimentalDecorators: true, emitDecoratorMetadata: true, skipLibCheck: true },
  },
  include: ['**/*.ts'],
  exclude: ['node_modules'],
};

/**
 * Packs libs, installs them into a new application without a network, and compiles it against their types.
 *
 * @throws Error when a lib cannot be installed alone, lacks a peer, or the application does not compile
 */
export async function installForeignApp(options: ForeignAppOptions): Promise<ForeignApp> {
  const folder = await temporaryFolder('foreign-app');
  try {
    await installPackages(folder.path, options);
    await compile(folder.path, options.files);
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return {
    folder: folder.path,
    start: (file, environment = {}) => start(folder.path, file.replace(/\.ts$/, '.js'), environment),
    remove: () => folder.remove(),
  };
}

async function start(
  folder: string,
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningApp> {
  const port = await freePort();
  const env = { ...environment, PORT: String(port) };
  const program = new NodeProgram(file, { env, cwd: folder, log: join(folder, 'log') });
  try {
    await program.untilReady(() => listens(port));
  } catch (error) {
    await program.stop();
    throw error;
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    output: () => program.output,
    stop: () => program.stop(),
  };
}

/** Whether something listens on a port; sends no request, which an application may count. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => {
      resolve(false);
    });
  });
}

async function installPackages(folder: string, { libs, dependencies }: ForeignAppOptions): Promise<void> {
  const peers = new Map<string, string>();
  for (const manifest of await installPacked(libs, folder)) {
    for (const [peer, range] of requiredPeers(manifest)) {
      if (!dependencies.includes(peer)) {
        throw new Error(`${manifest.name} needs ${peer}, which the application does not depend on.`);
      }
      peers.set(peer, range);
    }
  }
  for (const name of new Set([...dependencies, '@types/node'])) {
    await link(join(OWN_PACKAGES, name), join(folder, 'node_modules', name), peers.get(name));
  }
}

async function compile(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'foreign-app', type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await runCommand(process.execPath, [TSC, '--pretty', 'false', '-p', folder], folder);
}
