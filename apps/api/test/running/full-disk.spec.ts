import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  appendFile,
  open,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { connectToRunning } from '@petstore/embedded-postgres';
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
import { Database } from '@petstore/persistence';
import { waitFor } from '@petstore/testing';
import { Client as Session } from 'pg';
import { Client } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { operate } from '../support/operator.js';
import { Program } from '../support/program.js';
import { until } from '../support/until.js';

/** A file of which Linux says, whenever something is written to it, that there is no space left (full(4)). */
const FULL = '/dev/full';
/** Other systems have no disk that is full on demand. */
const onLinux = process.platform === 'linux' ? it : it.skip;

/** Bytes that a file of the program may have: for the program, a disk that is full then. */
const ROOM = 64 * 1024;
/** Unit of `ulimit -f` (POSIX). */
const BLOCK = 512;
/** What is in the file before: the lines of the start fit, those of the requests do not. */
const FILLED = ROOM - 4 * 1024;
const REQUESTS = 100;

const LOG = new URL('../../dist/logging/log.js', import.meta.url).href;
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
const programs: Program[] = [];

function run(environment: Record<string, string>, shell = 'exec "$@"'): Program {
  const program = new Program(folder.path, environment, { shell });
  programs.push(program);
  return program;
}

beforeAll(async () => {
  folder = await memoryFolder('full-disk');
  await putDatabase(folder.path);
});
// Also after a test that has waited in vain for the end of one.
afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL');
});
afterAll(() => folder.remove());

/** The rows of a statement in the database of the program that runs. */
async function query(statement: string): Promise<Record<string, unknown>[]> {
  const session = new Session(await connectToRunning(folder.path).then((server) => server ?? ''));
  await session.connect();
  const { rows } = await session.query<Record<string, unknown>>(statement);
  await session.end();
  return rows;
}

onLinux(
  'a disk without room refuses additions, keeps reads going, and loses and repeats nothing',
  async () => {
    let program = await run({}).started();
    const key = program.key ?? '';
    await query('truncate pets cascade');
    const [row] = await query(`select pg_relation_filepath('pets') as path`);
    expect(await program.end()).toBe(0);
    const file = join(folder.path, 'postgres/cluster/data', String(row?.['path']));
    await rename(file, `${file}.aside`);
    await symlink(FULL, file);

    program = await run({ OPS_PORT: '0' }).started();
    const client = new Client(program.origin, key);
    const rex = { name: 'Rex', categoryId: 7 };
    const headers = { 'Idempotency-Key': 'the-same-animal' };
    for (let n = 0; n < 2; n++) {
      for (const reply of [
        await client.post('/v1/pets', rex),
        await client.post('/v1/pets', rex, { headers }),
      ]) {
        expectError(reply, 'service_unavailable');
        expect(reply.headers['retry-after']).toBe('1');
      }
      expect(await client.get('/v1/pets')).toMatchObject({ status: 200, text: '[]' });
    }
    expect(await client.get('/readyz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    const [, management = ''] = /"management":"([^"]+)"/.exec(program.output) ?? [];
    const metrics = await (await fetch(`${management}/metrics`)).text();
    // Each addition has been refused once at least; the service itself may have been, too.
    expect(Number(/^petstore_database_disk_full_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(4);

    const animals = join(folder.path, 'animals.csv');
    await writeFile(animals, 'name,categoryId\nRex,7\n');
    await expect(operate({ PETSTORE_DATA_DIR: folder.path }, 'import', animals)).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /^error: The disk of the database is full: free space on it\. 0 animals were done/m,
      ),
    });

    await unlink(file);
    await rename(`${file}.aside`, file);
    // Its processes still have the other file open.
    await query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
    );
    const added = await waitFor(async () => {
      const reply = await client.post('/v1/pets', rex, { headers });
      return reply.status !== 503 && reply;
    });
    expect(added.status).toBe(201);
    const again = await client.post('/v1/pets', rex, { headers });
    expect(again).toMatchObject({ status: 201, text: added.text });
    // Reads have connections of their own, and on a busy machine the first may not be made in time.
    await until(async () => (await client.get('/v1/pets')).status === 200);
    expect((await client.get('/v1/pets')).text).toBe(`[${added.text}]`);
    client.close();
    expect(await program.end()).toBe(0);
    expect(program.output).toContain('No space left on device');
  },
);

describe('a log on a full disk', () => {
  // In processes of their own, which may write files of any size.
  let [postgres, redis]: [TestPostgres?, TestRedis?] = [];
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([
      startMigratedPostgres((settings) => Database.open(settings)),
      startRedis(),
    ]);
  });
  afterAll(() => Promise.all([postgres?.stop(), redis?.stop()]));

  it('delays nothing, goes on when there is room, and does not keep the service from stopping', async () => {
    const file = join(folder.path, 'petstore.log');
    await writeFile(file, '\n'.repeat(FILLED));
    const environment = {
      DATABASE_URL: postgres?.url ?? '',
      REDIS_URL: redis?.url ?? '',
      API_KEY_PEPPER: 'pepper-of-the-full-log',
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
      const reply = await fetch(`${program.origin}/v1/pets`, { headers: { 'X-Request-Id': id } });
      expect(reply.status).toBe(401);
      ids.push(id);
      return id;
    };
    for (let n = 0; n < REQUESTS; n++) await request();
    await until(async () => (await stat(file)).size === ROOM);
    // More than stays in the buffer by itself: it is attempted to write these, too.
    for (let n = 0; n < REQUESTS; n++) await request();

    const before = await readFile(file, 'utf8');
    await truncate(file);
    const last = await request();
    let after = '';
    await until(async () => (after = await readFile(file, 'utf8')).includes(last));
    const lines = `${before}${after}`.split('\n').filter((line) => line.includes('"msg":"request"'));
    expect(lines.map((line) => (JSON.parse(line) as { requestId: string }).requestId)).toEqual(ids);

    await appendFile(file, '\n'.repeat(ROOM));
    await request();
    expect(await program.end()).toBe(0);
    expect(await readFile(file, 'utf8')).not.toContain('shutting down');
  });

  onLinux('has no room for the first steps of a person either, and the program serves', async () => {
    const port = String(await freePort());
    const program = run({ PORT: port }, `exec "$@" >${FULL}`);
    const isServing = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isServing);
    // The first steps are written as soon as it listens, before it can have received another request.
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
