import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeyAdministration, KeySigner } from '@petstore/api-key';
import { PETSTORE_SCOPES } from '../src/access/petstore-scopes.js';
import { connectToRunning } from '@petstore/embedded-postgres';
import type { Environment } from '../src/configuration/configuration.js';
import { Database, PostgresApiKeyRepository } from '@petstore/persistence';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';
import { Client as Session } from 'pg';
import { Client } from './client.js';
import { expectError } from './contract.js';
import { Program } from './program.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';
import { Writers } from './writers.js';

/** The longest that a response may take while something is unavailable, in milliseconds. */
const LATEST = 2_000;

/** A key hardly limited, made as the operator's tool makes it. */
async function issueIn(url: string, pepper: string): Promise<string> {
  const database = await Database.open({ url });
  const repository = new PostgresApiKeyRepository(database);
  const keys = new ApiKeyAdministration({
    repository,
    signer: new KeySigner(pepper),
    scopes: PETSTORE_SCOPES,
    kind: 'test',
  });
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const { secret } = await keys.create({ name: 'test', plan: 'enterprise', limits }, 'tests');
  await database.close();
  return secret;
}

/** Names and bodies, as responses would hold them, of the animals in a database whose names begin so. */
async function stored(url: string, prefix: string): Promise<[name: string, body: string][]> {
  const session = new Session(url);
  await session.connect();
  const { rows } = await session.query<{ id: string; name: string }>(
    `select id, name from pets where name like $1 || ' %' order by id`,
    [prefix],
  );
  await session.end();
  return rows.map(({ id, name }) => [
    name,
    `{"id":${id},"name":"${name}","categoryId":1,"status":"available"}`,
  ]);
}

/** What is kept as the first response to each request whose Idempotency-Key begins so, as body, and the Location of it. */
async function storedResponses(url: string, prefix: string): Promise<[body: string, location: string][]> {
  const session = new Session(url);
  await session.connect();
  const { rows } = await session.query<{ body: string; location: string }>(
    `select body, location from idempotent_requests where token like $1 || '-%'`,
    [prefix],
  );
  await session.end();
  return rows.map(({ body, location }): [string, string] => [body, location]).sort();
}

/** Whatever died in between: all that was acknowledged is there as it was acknowledged, and nothing else. */
async function expectNothingLost(writers: Writers, url: string, prefix: string): Promise<void> {
  // An animal is there together with the response to its request, or neither is.
  const pets = (await stored(url, prefix)).map(([, body]) => body);
  const located = pets.map((body) => [body, `/v1/pets/${/\d+/.exec(body)?.[0]}`]);
  expect(await storedResponses(url, prefix)).toEqual(located.sort());
  expect(await stored(url, prefix)).toHaveLength(writers.acknowledged.size);
  expect(new Map(await stored(url, prefix))).toEqual(writers.acknowledged);
}

/** Nobody waited for long, and whoever was refused was told to come back. */
function expectClearResponses({ attempts }: Writers): void {
  const refused = attempts.filter(({ status }) => status !== 201);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, retryAfter, ms } of refused) {
    expect(ms).toBeLessThan(LATEST);
    // A request that was sent again while its first sending was still at work.
    if (status !== 409) expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '1' });
  }
}

let running: RunningService;
let key: string;
let folder: TemporaryFolder;
const programs: Program[] = [];
const allWriters: Writers[] = [];

function startProgram(environment: Environment): Promise<Program> {
  const program = new Program(folder.path, environment);
  programs.push(program);
  return program.started();
}

function startWriters(prefix: string, originOf: () => string, ofKey = key): Writers {
  const writers = new Writers(prefix, originOf, ofKey);
  allWriters.push(writers);
  return writers;
}

beforeAll(async () => {
  [running, folder] = await Promise.all([runService(), temporaryFolder('nothing-lost')]);
  key = await running.issueKey();
});
afterEach(async () => {
  for (const writers of allWriters.splice(0)) writers.giveUp();
  for (const program of programs.splice(0)) await program.end('SIGKILL');
});
afterAll(async () => {
  await running.close();
  await folder.remove();
});

describe('while animals are being added', () => {
  it('a PostgreSQL that is killed loses nothing acknowledged, and everybody is told to come back', async () => {
    const writers = startWriters('Outage', () => running.service.origin);
    await writers.added(100);
    for (let round = 0; round < 2; round++) {
      await running.postgres.kill();
      await sleep(300);
      const client = new Client(running.service.origin, key);
      expectError(await client.get('/v1/pets'), 'service_unavailable');
      expect((await client.get('/readyz')).status).toBe(503);
      client.close();
      await running.postgres.start();
      await writers.added(100);
    }
    await writers.finish();
    expectClearResponses(writers);
    await expectNothingLost(writers, running.postgres.url, 'Outage');
  });

  it('a service that is killed loses nothing acknowledged, and nothing asked for again is added twice', async () => {
    const start = (): Promise<Program> => startProgram(running.environment);
    let program = await start();
    const writers = startWriters('Killed', () => program.origin);
    for (let round = 0; round < 2; round++) {
      await writers.added(100);
      await program.end('SIGKILL');
      expect(program.output).not.toContain(key);
      program = await start();
    }
    await writers.added(100);
    await writers.finish();
    expect(await program.end()).toBe(0);
    await expectNothingLost(writers, running.postgres.url, 'Killed');
  });

  it('an embedded PostgreSQL that is killed comes back by itself with all that was acknowledged', async () => {
    const pepper = 'pepper-of-the-embedded-database';
    const program = await startProgram({ API_KEY_PEPPER: pepper });
    const url = (await connectToRunning(folder.path)) ?? '';
    const embeddedKey = await issueIn(url, pepper);
    const writers = startWriters('Embedded', () => program.origin, embeddedKey);
    await writers.added(50);
    const lock = join(folder.path, 'postgres/cluster/data/postmaster.pid');
    const killed = Number.parseInt(await readFile(lock, 'utf8'), 10);
    process.kill(killed, 'SIGKILL');
    await writers.added(50);
    await writers.finish();
    expectClearResponses(writers);
    await expectNothingLost(writers, url, 'Embedded');
    expect((await fetch(`${program.origin}/readyz`)).status).toBe(200);
    expect(await program.end()).toBe(0);
    expect(program.output).toContain(`"pid":${killed},`);
    expect(program.output).toContain('"msg":"embedded PostgreSQL died, restarting it"');
    expect(program.output).toContain('"msg":"embedded PostgreSQL restarted"');
    for (const secret of [embeddedKey, pepper, new URL(url).password]) {
      expect(program.output).not.toContain(secret);
    }
  });
});

describe('a server that hangs', () => {
  it('costs a 503 within two seconds if it is PostgreSQL, and is used again as soon as it goes on', async () => {
    const writers = startWriters('Hanging', () => running.service.origin);
    await writers.added(20);
    await running.postgres.pause();
    const client = new Client(running.service.origin, key);
    const since = performance.now();
    const replies = await Promise.all([
      client.get('/v1/pets'),
      client.get('/v1/pets/1'),
      client.get('/readyz'),
    ]);
    expect(performance.now() - since).toBeLessThan(LATEST);
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(replies.map(({ headers }) => headers['retry-after'])).toEqual(['1', '1', '1']);
    expect((await client.get('/livez')).status).toBe(200);
    running.postgres.resume();
    await writers.added(20);
    await writers.finish();
    // Reads have connections of their own, and on a busy machine the first may not be made in time.
    await until(async () => (await client.get('/v1/pets')).status === 200);
    client.close();
    expectClearResponses(writers);
    await expectNothingLost(writers, running.postgres.url, 'Hanging');
  });

  it('costs few requests anything, and none its response, if it is Redis', async () => {
    const client = new Client(running.service.origin, key);
    /** The median time of 51 requests, in milliseconds. */
    const timed = async (): Promise<number> => {
      const times: number[] = [];
      for (let n = 0; n < 51; n++) {
        const since = performance.now();
        const { status, headers } = await client.get('/v1/pets');
        expect({ status, limit: headers['x-ratelimit-limit'] }).toEqual({ status: 200, limit: '1000000' });
        times.push(performance.now() - since);
      }
      return times.sort((a, b) => a - b)[25] ?? Infinity;
    };
    const before = await timed();
    running.redis.pause();
    const meanwhile = await timed();
    running.redis.resume();
    client.close();
    // A request that waits for a Redis that hangs takes 40 ms longer. Most must not wait, on however busy a machine.
    expect(meanwhile - before).toBeLessThan(40);
  });
});
