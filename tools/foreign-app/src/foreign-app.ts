import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './command.js';
import { requiredPeers } from './manifest.js';
import { installPacked, link, WORKSPACE } from './packed-lib.js';
import { type RunningApp, runApp } from './running-app.js';

/** What an application is made of. */
export interface ForeignAppOptions {
  /** The libs under test, by their folder in the workspace: `libs/rate-limit`. They have to be built. */
  readonly libs: readonly string[];
  /** Packages of others that the application depends on; each is a dependency of this project, too. */
  readonly dependencies: readonly string[];
  /** Its sources by their names: TypeScript, in ECMAScript modules. */
  readonly files: Readonly<Record<string, string>>;
}

/** An application of a stranger, in a temporary folder, with the libs as a stranger gets them. */
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
  const folder = await mkdtemp(join(tmpdir(), 'petstore-foreign-app-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await installPackages(folder, options);
    await compile(folder, options.files);
  } catch (error) {
    await remove();
    throw error;
  }
  const start: ForeignApp['start'] = (file, environment = {}) =>
    runApp(folder, file.replace(/\.ts$/, '.js'), environment);
  return { folder, start, remove };
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
