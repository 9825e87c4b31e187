import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { putDatabase } from './database-template.js';
import { memoryFolder } from './memory-folder.js';

const run = promisify(execFile);

const APPS = fileURLToPath(new URL('../../../apps/', import.meta.url));
const SERVICE = join(APPS, 'api/bundle/main.js');
const OPERATOR = join(APPS, 'operator-cli/bundle/main.js');
const MIGRATE = join(APPS, 'operator-cli/bundle/migrate.js');

/** A start on an empty embedded database takes at most this long on a busy machine. */
const START_TIMEOUT_MS = 60_000;

/** The shell reads from a pipe of this process: however this process ends, the service is stopped. */
const SCRIPT = `
exec 3<&0
"$@" </dev/null 3<&- &
service=$!
{ read -r _ <&3; kill -TERM $service; } 2>/dev/null &
watcher=$!
wait $service
kill $watcher 2>/dev/null
`;

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
    PATH: `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    PETSTORE_DATA_DIR: folder.path,
    LOG_LEVEL: 'error',
    ...environment,
  };
  let shell: ChildProcess | undefined;
  const start = (): Promise<string> => {
    shell = spawn('/bin/sh', ['-c', SCRIPT, 'pet-store', process.execPath, SERVICE], {
      env: { PORT: '0', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return originOf(shell);
  };
  const stop = async (): Promise<void> => {
    if (shell !== undefined) await stopped(shell);
    await folder.remove();
  };
  try {
    await putDatabase(folder.path, migrate);
    let origin = await start();
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
        if (shell !== undefined) await stopped(shell);
        origin = await start();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the tables as operators do, in a database of which every service of these tests gets a copy. */
function migrate(url: string): Promise<unknown> {
  const env = { DATABASE_URL: url, API_KEY_PEPPER: 'of no key: there is none yet' };
  return run(process.execPath, [MIGRATE], { env });
}

/** Waits until the service has printed its address. */
function originOf(shell: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (what: string) => (): void => {
      reject(new Error(`${what}. Output:\n${output}`));
    };
    const timer = setTimeout(fail('The service did not start in time'), START_TIMEOUT_MS);
    shell.once('exit', fail('The service exited before it listened')).once('exit', () => {
      clearTimeout(timer);
    });
    for (const stream of [shell.stdout, shell.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const origin = /API +(http:\/\/\S+)\/v1/.exec(output)?.[1];
        if (origin === undefined) return;
        clearTimeout(timer);
        resolve(origin);
      });
    }
  });
}

/** Stops the service, unless it has exited by itself. */
async function stopped(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null) return;
  const gone = once(shell, 'exit');
  shell.stdin?.end();
  await gone;
}
