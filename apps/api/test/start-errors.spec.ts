import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../src/configuration/configuration.js';
import {
  startTestPostgres,
  temporaryFolder,
  type TemporaryFolder,
  type TestPostgres,
} from '@petstore/test-servers';
import { Program } from './program.js';

const PEPPER = 'pepper-of-the-start-errors';
/** Whoever leaves these as they are gets a URL of another host, or none. */
const PASSWORD = 'Sesame@ajar/the:door#now?100%';

let postgres: TestPostgres;
let folder: TemporaryFolder;

beforeAll(async () => {
  [postgres, folder] = await Promise.all([startTestPostgres(), temporaryFolder('start-errors')]);
});
afterAll(() => Promise.all([postgres.stop(), folder.remove()]));

/** All that a program wrote that could not start, and how it ended. */
async function failedStart(environment: Environment, dataDir = folder.path): Promise<string> {
  const program = new Program(dataDir, environment);
  await expect(program.started()).rejects.toThrow('It did not start');
  expect(await program.end()).toBe(1);
  // One message: a sentence or a few, and no stack.
  expect(program.output.trim().split('\n')).toHaveLength(1);
  expect(program.output).not.toMatch(/\n? {4}at |Sesame|ajar|door/);
  return program.output;
}

const elsewhere = (change: (url: URL) => void): Environment => {
  const url = new URL(postgres.url);
  change(url);
  return { DATABASE_URL: url.href, API_KEY_PEPPER: PEPPER };
};

it.each<[string, () => Environment, RegExp]>([
  [
    'a wrong password',
    () => elsewhere((url) => (url.password = encodeURIComponent(PASSWORD))),
    /^DATABASE_URL is postgresql:\/\/petstore:\*\*\*@.*: the server refuses the password/,
  ],
  [
    'a password that is not encoded',
    () => ({ DATABASE_URL: `postgres://petstore:${PASSWORD}@127.0.0.1:1/postgres`, API_KEY_PEPPER: PEPPER }),
    /^DATABASE_URL is "postgres:\/\/\*\*\*"; allowed: .* percent-encoded\.$/m,
  ],
  [
    'a database that is not there',
    () => elsewhere((url) => (url.pathname = '/nowhere')),
    /there is no such database\. Create it with: CREATE DATABASE/,
  ],
  [
    'nobody who listens',
    () => ({ DATABASE_URL: 'postgres://petstore:Sesame@127.0.0.1:1/postgres', API_KEY_PEPPER: PEPPER }),
    /^DATABASE_URL is postgres:\/\/petstore:\*\*\*@127\.0\.0\.1:1\/postgres: no server listens there \(ECONNREFUSED\)/,
  ],
  [
    'several processes and a wrong password',
    () => ({
      ...elsewhere((url) => (url.password = encodeURIComponent(PASSWORD))),
      WEB_CONCURRENCY: '2',
      REDIS_URL: 'redis://127.0.0.1:1',
    }),
    /the server refuses the password/,
  ],
])('ends with one message for %s', async (_what, environment, message) => {
  expect(await failedStart(environment())).toMatch(message);
});

it('ends at once with one message when the data folder cannot be made', async () => {
  const since = performance.now();
  expect(await failedStart({}, '/proc/x')).toMatch(/^The data folder \/proc\/x cannot be used \(ENOENT\)/);
  expect(performance.now() - since).toBeLessThan(10_000);
});

it('ends with one message when the pepper can be read by others', async () => {
  const dataDir = join(folder.path, 'pepper');
  await mkdir(dataDir);
  const program = await new Program(dataDir).started();
  expect(await program.end()).toBe(0);
  await chmod(join(dataDir, 'pepper'), 0o644);
  expect(await failedStart({}, dataDir)).toMatch(
    /^The pepper in .*\/pepper is open to other users \(mode 0644\)\. Close it with: chmod 0600 /,
  );
});
