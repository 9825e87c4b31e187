import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { putDatabase } from './database-template.js';
import { memoryFolder } from './memory-folder.js';

const run = promisify(execFile);

const [SERVICE, OPERATOR, MIGRATE] = [
  'api/bundle/main.js',
  'operator-cli/bundle/main.js',
  'operator-cli/bundle/migrate.js',
].map((file) => fileURLToPath(new URL(`../../../apps/${file}`, import.meta.url))) as [string, string, string];
const END_WITH_PARENT = new URL('../end-with-parent.mjs', import.meta.url).href;

/** A start on an empty embedded database takes at most this long on a busy machine. */
const START_TIMEOUT_MS = 60_000;

/** The whole service as it is run by people: a process of its own on an embedded database of its own. */
export interface PetStoreProcess {
  /** `http://127.0.0.1:<port>`; the API is under `/v1`. Another one after a restart. */
  readonly origin: string;
  /** Program of the operator's tool, and the variables with which it finds this service's keys. */
  readonly operator: { readonly program: string; readonly environment: Readonly<Record<string, string>> };
  /** Issues a key as operators do, without practical limits unless options say otherwise; its secret. */
  issueKey(options?: readonly string[]): Promise<string>;
  /** Stops the service and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const UNLIMITED = ['--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000'];

/** Starts the built service; the projects that call this depend on its build. */
export async function startPetStore(
  environment: Readonly<Record<string, string>> = {},
): Promise<PetStoreProcess> {
  const folder = await memoryFolder('pet-store');
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    PETSTORE_DATA_DIR: folder.path,
    LOG_LEVEL: 'error',
    ...environment,
  };
  let service: ChildProcess | undefined;
  let origin = '';
  const start = async (): Promise<void> => {
    // It ends with this process, however this process ends.
    service = spawn(process.execPath, ['--import', END_WITH_PARENT, SERVICE], { env: { PORT: '0', ...env } });
    origin = await originOf(service);
  };
  const end = async (): Promise<void> => {
    if (service === undefined || service.exitCode !== null || service.signalCode !== null) return;
    const gone = once(service, 'exit');
    service.kill();
    await gone;
  };
  const stop = async (): Promise<void> => {
    await end();
    await folder.remove();
  };
  try {
    await putDatabase(folder.path, migrate);
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    get origin() {
      return origin;
    },
    operator: { program: OPERATOR, environment: { PETSTORE_DATA_DIR: folder.path } },
    issueKey: async (options = UNLIMITED) => {
      const words = [OPERATOR, 'create', '--name', 'test', '--json', ...options];
      const { stdout } = await run(process.execPath, words, { env });
      return (JSON.parse(stdout) as { key: string }).key;
    },
    restart: async () => {
      await end();
      await start();
    },
    stop,
  };
}

/** Makes the tables as operators do, in a database of which every service of these tests gets a copy. */
function migrate(url: string): Promise<unknown> {
  const env = { DATABASE_URL: url, API_KEY_PEPPER: 'of no key: there is none yet' };
  return run(process.execPath, [MIGRATE], { env });
}

/** Waits until the service has printed its address. */
function originOf(service: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (what: string): void => {
      reject(new Error(`${what}. Output:\n${output}`));
    };
    const timer = setTimeout(fail, START_TIMEOUT_MS, 'The service did not start in time');
    service.once('exit', () => {
      clearTimeout(timer);
      fail('The service exited before it listened');
    });
    for (const stream of [service.stdout, service.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const origin = /API +(http:\/\/\S+)\/v1/.exec(output)?.[1];
        if (origin === undefined) return;
        clearTimeout(timer);
        resolve(origin);
      });
  });
}
