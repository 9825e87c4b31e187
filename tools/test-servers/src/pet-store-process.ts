import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { putDatabase } from './database-template.js';
import { memoryFolder } from './memory-folder.js';
import { NodeProgram } from './node-program.js';
import type { TemporaryFolder } from './temporary-folder.js';

const run = promisify(execFile);

const APPS = fileURLToPath(new URL('../../../apps/', import.meta.url));
const SERVICE = join(APPS, 'api/bundle/main.js');
const OPERATOR = join(APPS, 'operator-cli/bundle/main.js');

/** What a key may have: every scope, as the operator's page lists them, which a test compares with those of the service. */
export const ALL_SCOPES = Array.from(
  readFileSync(new URL('../../../docs/keys.md', import.meta.url), 'utf8').matchAll(/^\| `(\w+:\w+)` +\|/gm),
  ([, scope]) => scope,
).join();

/** Of a key without practical limits. */
export const UNLIMITED = ['--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000'];

/** The whole service as it is run by people: a process of its own on an embedded database of its own. */
export class PetStoreProcess {
  /** `http://127.0.0.1:<port>`; the API is under `/v1`. Another one after a restart. */
  origin = '';
  private service: NodeProgram | undefined;

  /**
   * @param folder has the database
   * @param program of the service
   */
  constructor(
    private readonly folder: TemporaryFolder,
    private readonly env: Readonly<Record<string, string>>,
    private readonly program: string,
  ) {}

  /** Program of the operator's tool, and the variables with which it finds this service's keys. */
  get operator(): { readonly program: string; readonly environment: Readonly<Record<string, string>> } {
    return { program: OPERATOR, environment: { PETSTORE_DATA_DIR: this.folder.path } };
  }

  /** Issues a key as operators do, without practical limits unless options say otherwise; its secret. */
  async issueKey(options: readonly string[] = UNLIMITED): Promise<string> {
    const words = [OPERATOR, 'keys', 'create', '--name', 'test', '--json', ...options];
    const { stdout } = await run(process.execPath, words, { env: this.env });
    return (JSON.parse(stdout) as { key: string }).key;
  }

  async start(): Promise<void> {
    const log = join(this.folder.path, 'log');
    const service = new NodeProgram(this.program, { env: { PORT: '0', ...this.env }, log });
    this.service = service;
    this.origin = await service.untilReady(() => /API +(http:\/\/\S+)\/v1/.exec(service.output)?.[1]);
  }

  /** Stops the service and starts it again on the same data. */
  async restart(): Promise<void> {
    await this.service?.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    await this.folder.remove();
  }
}

/**
 * Starts the built service; the projects that call this depend on its build.
 *
 * @param program of the service, when it is not to be the bundle
 */
export async function startPetStore(
  environment: Readonly<Record<string, string>> = {},
  program = SERVICE,
): Promise<PetStoreProcess> {
  const folder = await memoryFolder('pet-store');
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`;
  const env = { PATH: path, PETSTORE_DATA_DIR: folder.path, LOG_LEVEL: 'error', ...environment };
  const store = new PetStoreProcess(folder, env, program);
  try {
    await putDatabase(folder.path);
    await store.start();
    return store;
  } catch (error) {
    await store.stop();
    throw error;
  }
}
