import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '@petstore/persistence';
import {
  freePort,
  memoryFolder,
  putDatabase,
  startMigratedPostgres,
  startRedis,
  type TemporaryFolder,
  type TestPostgres,
  type TestRedis,
} from '@petstore/test-servers';
import { Program } from './program.js';
import { until } from './until.js';

/** A file of which Linux says, whenever something is written to it, that there is no space left (full(4)). */
const FULL = '/dev/full';
/** Other systems have no disk that is full on demand. */
const onLinux = process.platform === 'linux' ? it : it.skip;

/** Bytes that a file of the program may have: for the program, a disk that is full then. */
const ROOM = 64 * 1024;
/** Unit of `ulimit -f` (POSIX). */
const BLOCK = 512;
/** What is in the file before: the lines of the start fit. */
const FILLED = ROOM - 4 * 1024;
/** Their lines do not fit. */
const REQUESTS = 100;

const LOG = new URL('../dist/logging/log.js', import.meta.url).href;
/** Logs 20 MB, and says on standard error how many lines were dropped. */
const LOGS_MUCH = `
  const { createLog, droppedLogLines } = await import(process.argv[1]);
  const log = createLog('info');
  for (let n = 0; n < 20; n++) {
    log.info('x'.repeat(1_000_000));
    await new Promise(setImmediate);
  }
  process.stderr.write(String(droppedLogLines()));`;

let folder: TemporaryFolder;
let postgres: TestPostgres;
let redis: TestRedis;
const programs: Program[] = [];

function run(environment: Record<string, string>, shell: string): Program {
  const program = new Program(folder.path, environment, { shell });
  programs.push(program);
  return program;
}

beforeAll(async () => {
  [folder, postgres, redis] = await Promise.all([
    memoryFolder('full-log'),
    startMigratedPostgres((settings) => Database.open(settings)),
    startRedis(),
  ]);
});
// Also after a test that has waited in vain for the end of one.
afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL');
});
afterAll(async () => {
  await redis.stop();
  await postgres.stop();
  await folder.remove();
});

describe('a log on a full disk', () => {
  it.each([1, 2])(
    'delays nothing, goes on when there is room, and does not keep %d processes from stopping',
    async (processes) => {
      const file = join(folder.path, `${processes}.log`);
      await writeFile(file, '\n'.repeat(FILLED));
      const environment = {
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        API_KEY_PEPPER: 'pepper-of-the-full-log',
        WEB_CONCURRENCY: String(processes),
        ANONYMOUS_PER_MINUTE: '100000',
      };
      const program = run(environment, `ulimit -f ${ROOM / BLOCK}; exec "$@" >>'${file}'`);
      const reading = setInterval(() => (program.output = readFileSync(file, 'utf8')), 50);
      await program.started().finally(() => {
        clearInterval(reading);
      });
      const ids: string[] = [];
      const request = async (): Promise<string> => {
        const id = randomUUID();
        const signal = AbortSignal.timeout(5_000);
        const reply = await fetch(`${program.origin}/v1/pets`, { headers: { 'X-Request-Id': id }, signal });
        expect(reply.status).toBe(401);
        ids.push(id);
        return id;
      };
      for (let n = 0; n < REQUESTS; n++) await request();
      await until(async () => (await stat(file)).size === ROOM);
      // Longer than lines stay in the buffer by themselves.
      await sleep(500);
      await request();

      const before = await readFile(file, 'utf8');
      await truncate(file);
      const last = await request();
      let after = '';
      await until(async () => (after = await readFile(file, 'utf8')).includes(last));
      // Several processes may each have written a part of a line when the disk was full.
      if (processes === 1) {
        const lines = `${before}${after}`.split('\n').filter((line) => line.includes('"msg":"request"'));
        expect(lines.map((line) => (JSON.parse(line) as { requestId: string }).requestId)).toEqual(ids);
      }

      await appendFile(file, '\n'.repeat(ROOM));
      await request();
      expect(await program.end()).toBe(0);
      expect(await readFile(file, 'utf8')).not.toContain('shutting down');
    },
  );

  onLinux('has no room for the first steps of a person either, and the program serves', async () => {
    await putDatabase(folder.path);
    const port = String(await freePort());
    const program = run({ PORT: port }, `exec "$@" >${FULL}`);
    const isServing = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isServing);
    // The first steps come after it listens.
    await sleep(1_000);
    expect(await isServing()).toBe(true);
    expect(await program.end()).toBe(0);
    expect(program.output).toBe('');
  });

  onLinux('loses lines beyond those that are buffered, and counts them', async () => {
    const full = await open(FULL, 'w');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', LOGS_MUCH, LOG], {
      stdio: ['ignore', full.fd, 'pipe'],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    let dropped = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (dropped += text));
    const [code] = (await once(child, 'close')) as [number | null];
    await full.close();
    // 16 MiB have room for 16 of these lines.
    expect({ code, dropped }).toEqual({ code: 0, dropped: '4' });
  });
});
