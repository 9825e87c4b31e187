import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { redisBinary } from './redis-binary.js';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';
import { TetheredProgram } from './tethered-program.js';

/** Longest that a server may take to start. */
const START_TIMEOUT_MS = 10_000;

/** A real Redis server of its own on the loopback interface. */
export class TestRedis {
  /** `redis://127.0.0.1:<port>`. */
  readonly url: string;
  /** Process id of the server as it runs now. */
  pid = 0;
  private program: TetheredProgram | undefined;

  /** @param args of the server, which listens on `port` and writes `log` in the folder */
  constructor(
    private readonly folder: TemporaryFolder,
    readonly port: number,
    private readonly args: readonly string[],
  ) {
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** Starts the server again on the same port, empty, after {@link TestRedis.kill}. */
  async start(): Promise<void> {
    this.program = await TetheredProgram.start(await redisBinary(), this.args, { cwd: this.folder.path });
    this.pid = this.program.pid;
    await this.untilReady();
  }

  /** Makes the server hang: it keeps its connections and sends nothing (SIGSTOP). */
  pause(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  /** Ends {@link TestRedis.pause}. */
  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /** Ends the server at once, as a crash does. */
  async kill(): Promise<void> {
    const { program } = this;
    this.program = undefined;
    await program?.end();
  }

  /** Stops the server and removes its folder. May be called again, also after {@link TestRedis.kill}. */
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

/**
 * Starts a server for one test file, in about 50 ms; the first one on a machine without Redis fetches it.
 *
 * @param options.settings further ones, as on the command line: `['--maxmemory', '4mb']`
 */
export function startRedis({ settings = [] }: { settings?: readonly string[] } = {}): Promise<TestRedis> {
  return start('test-redis', ['save ""', 'appendonly no'], settings);
}

/**
 * Starts a Sentinel that watches a master under a name. It makes a replica the master when that has been gone for a minute,
 * or for as long as the test sets with `SENTINEL SET <name> down-after-milliseconds`: a busy machine may keep it silent.
 */
export function startRedisSentinel(name: string, master: TestRedis): Promise<TestRedis> {
  const configuration = [
    `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
    `sentinel down-after-milliseconds ${name} 60000`,
    `sentinel failover-timeout ${name} 2000`,
  ];
  return start('test-sentinel', configuration, ['--sentinel']);
}

async function start(
  purpose: string,
  configuration: readonly string[],
  args: readonly string[],
): Promise<TestRedis> {
  const folder = await temporaryFolder(purpose);
  const port = await freePort();
  const file = join(folder.path, 'redis.conf');
  const common = ['bind 127.0.0.1', `port ${port}`, `logfile ${join(folder.path, 'log')}`];
  await writeFile(file, [...common, ...configuration].join('\n'));
  const server = new TestRedis(folder, port, [file, ...args]);
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
