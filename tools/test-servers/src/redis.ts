import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { redisBinary } from './redis-binary.js';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';

/** Longest that a server may take to start. */
const START_TIMEOUT_MS = 10_000;

/** How a test server shall differ from an empty one that keeps nothing. */
export interface TestRedisOptions {
  /** Further settings as on the command line: `['--maxmemory', '4mb']`. */
  readonly settings?: readonly string[];
}

/** A real Redis server of its own on the loopback interface. */
export interface TestRedis {
  /** `redis://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** Process id of the server as it runs now. */
  readonly pid: number;
  /** Stops the server and removes its folder. May be called again, also after {@link TestRedis.kill}. */
  stop(): Promise<void>;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts the server again on the same port, empty, after {@link TestRedis.kill}. */
  start(): Promise<void>;
  /** Makes the server hang: it keeps its connections and sends nothing (SIGSTOP). */
  pause(): void;
  /** Ends {@link TestRedis.pause}. */
  resume(): void;
}

/** Starts a server for one test file, in about 50 ms; the first one on a machine without Redis fetches it. */
export function startRedis({ settings = [] }: TestRedisOptions = {}): Promise<TestRedis> {
  return start('test-redis', (port, log) =>
    Promise.resolve([
      ...['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'],
      ...['--logfile', log, ...settings],
    ]),
  );
}

/** Starts a Sentinel that watches a master under a name, and makes a replica of it the master soon after it is gone. */
export function startRedisSentinel(name: string, master: TestRedis): Promise<TestRedis> {
  return start('test-sentinel', async (port, log) => {
    const file = join(log, '../sentinel.conf');
    const lines = [
      'bind 127.0.0.1',
      `port ${port}`,
      `logfile ${log}`,
      `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
      `sentinel down-after-milliseconds ${name} 500`,
      `sentinel failover-timeout ${name} 2000`,
    ];
    await writeFile(file, lines.join('\n'));
    return [file, '--sentinel'];
  });
}

/** @param argumentsFor the arguments of a server that listens on a port and writes this log */
async function start(
  purpose: string,
  argumentsFor: (port: number, log: string) => Promise<readonly string[]>,
): Promise<TestRedis> {
  const folder = await temporaryFolder(purpose);
  const port = await freePort();
  const server = new RedisProcess(folder, port, await argumentsFor(port, join(folder.path, 'log')));
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * The server is a child of a shell that reads from a pipe of this process: however this process ends, the
 * pipe ends, and with it the server, even one that hangs.
 */
const SCRIPT = `
libraries=$1; shift
if [ -n "$libraries" ]; then export LD_LIBRARY_PATH="$libraries"; fi
"$@" </dev/null >/dev/null 2>&1 &
echo $!
read -r _
kill -KILL $!
wait
`;

class RedisProcess implements TestRedis {
  readonly url: string;
  pid = 0;
  private shell: ChildProcess | undefined;

  constructor(
    private readonly folder: TemporaryFolder,
    readonly port: number,
    private readonly settings: readonly string[],
  ) {
    this.url = `redis://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    const { command, libraries = '' } = await redisBinary();
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'redis-test', libraries, command, ...this.settings], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      cwd: this.folder.path,
    });
    this.shell = shell;
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    this.pid = Number(line.toString());
    // A finished test process ends, and the server with it, whether or not it was stopped.
    for (const handle of [shell, shell.stdin as Socket, shell.stdout as Socket]) handle.unref();
    await this.untilReady();
  }

  pause(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  async kill(): Promise<void> {
    const shell = this.shell;
    if (shell === undefined) return;
    this.shell = undefined;
    shell.ref();
    const gone = once(shell, 'exit');
    shell.stdin?.end();
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.folder.remove();
  }

  private async untilReady(): Promise<void> {
    const client = new Redis(this.port, '127.0.0.1', { retryStrategy: () => 10, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    const ready = client.ping().then(() => true);
    const inTime = await Promise.race([ready, sleep(START_TIMEOUT_MS, false, { ref: false })]);
    client.disconnect();
    if (inTime) return;
    const log = await readFile(join(this.folder.path, 'log'), 'utf8').catch(() => 'no log');
    throw new Error(`Redis did not start:\n${log.slice(-2000)}`);
  }
}
