import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { putDatabase } from './database-template.js';
import { memoryFolder } from './memory-folder.js';
import { OperatorProcess } from './operator-process.js';

const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));
const SERVICE = join(WORKSPACE, 'apps/api/bundle/main.js');
const OPERATOR = join(WORKSPACE, 'apps/operator-cli/bundle/main.js');
const MIGRATE = join(WORKSPACE, 'apps/operator-cli/bundle/migrate.js');

/** Milliseconds that a start on an empty embedded database may take on a busy machine. */
const START_PATIENCE = 60_000;

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

/** Words of a key for the operator's tool, such as `['--plan', 'free']`. */
type KeyOptions = readonly string[];

/** The whole service as it is run by people: a process of its own on an embedded database of its own. */
export interface PetStoreProcess {
  /** `http://127.0.0.1:<port>`; the API is under `/v1`. Another one after a restart. */
  readonly origin: string;
  /** Program of the operator's tool, and the variables with which it finds this service's keys. */
  readonly operator: { readonly program: string; readonly environment: Readonly<Record<string, string>> };
  /** Issues a key as operators do, hardly limited unless said, and gives its secret back. */
  issueKey(options?: KeyOptions): Promise<string>;
  /** Stops the service and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const HARDLY_LIMITED: KeyOptions = [
  ...['--plan', 'enterprise'],
  ...['--per-minute', '1000000', '--per-day', '1000000'],
];

/** Starts the built service; the projects that call this depend on its build. */
export async function startPetStore(
  environment: Readonly<Record<string, string>> = {},
): Promise<PetStoreProcess> {
  const folder = await memoryFolder('pet-store');
  await putDatabase(folder.path, migrate).catch(async (error: unknown) => {
    await folder.remove();
    throw error;
  });
  const env = {
    PATH: `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    PETSTORE_DATA_DIR: folder.path,
    LOG_LEVEL: 'error',
    ...environment,
  };
  const launch = (): ChildProcess =>
    spawn('/bin/sh', ['-c', SCRIPT, 'pet-store', process.execPath, SERVICE], {
      env: { PORT: '0', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const operator = new OperatorProcess(env);
  let shell = launch();
  const stop = async (): Promise<void> => {
    await Promise.all([operator.stop(), ended(shell)]);
    await folder.remove();
  };
  try {
    let origin = await listening(shell);
    return {
      get origin() {
        return origin;
      },
      operator: { program: OPERATOR, environment: { PETSTORE_DATA_DIR: folder.path } },
      issueKey: async (options = HARDLY_LIMITED) => {
        const issued = await operator.run(['create', '--name', 'test', '--json', ...options]);
        return (JSON.parse(issued) as { key: string }).key;
      },
      restart: async () => {
        await ended(shell);
        shell = launch();
        origin = await listening(shell);
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
  return promisify(execFile)(process.execPath, [MIGRATE], { env });
}

/** Waits until the service has printed where it is. */
function listening(shell: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => {
      reject(new Error(`The service did not start. It said:\n${output}`));
    }, START_PATIENCE);
    shell.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`The service ended before it listened. It said:\n${output}`));
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

/** Ends the service, unless it has ended by itself. */
async function ended(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null) return;
  const gone = once(shell, 'exit');
  shell.stdin?.end();
  await gone;
}
