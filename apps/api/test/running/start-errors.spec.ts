import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import { connectToRunning } from '@petstore/embedded-postgres';
import { type Environment, readConfiguration } from '../../src/configuration/configuration.js';
import { startService } from '../../src/startup/start-service.js';
import {
  putDatabase,
  startTestPostgres,
  temporaryFolder,
  type TemporaryFolder,
  type TestPostgres,
} from '@petstore/test-servers';
import { Program } from '../support/program.js';
import { WatchedLog } from '../support/watched-log.js';

const PEPPER = 'pepper-of-the-start-errors';
/** Left as it is in a URL, it makes one of another host, or none. */
const PASSWORD = 'Sesame@ajar/the:door#now?100%';

let postgres: TestPostgres;
let folder: TemporaryFolder;
/** Something that already listens on the port that a program is given. */
let other: net.Server;
let takenPort: string;

beforeAll(async () => {
  [postgres, folder] = await Promise.all([startTestPostgres(), temporaryFolder('start-errors')]);
  other = net.createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  takenPort = String((other.address() as net.AddressInfo).port);
});
afterAll(async () => {
  other.close();
  await Promise.all([postgres.stop(), folder.remove()]);
});

/** All that a program wrote that could not start; it ended with one message and told no password. */
async function failedStart(environment: Environment, dataDir = folder.path): Promise<string> {
  const program = new Program(dataDir, environment);
  await expect(program.started()).rejects.toThrow('It did not start');
  expect(await program.end()).toBe(1);
  // A sentence or a few, and no stack.
  expect(program.output.trim().split('\n')).toHaveLength(1);
  expect(program.output).not.toMatch(/\n? {4}at |Sesame|ajar|door/);
  return program.output;
}

/** On the server of this test, with this of its URL being another. */
const onServer = (changes: Partial<URL> = {}): Environment => ({
  DATABASE_URL: Object.assign(new URL(postgres.url), changes).href,
  API_KEY_PEPPER: PEPPER,
});
const elsewhere = (url: string): Environment => ({ DATABASE_URL: url, API_KEY_PEPPER: PEPPER });

it.each<[string, () => Environment, RegExp]>([
  [
    'a wrong configuration',
    () => elsewhere(`postgres://petstore:${PASSWORD}@127.0.0.1:1/postgres`),
    /^DATABASE_URL is "postgres:\/\/\*\*\*"; allowed: .* percent-encoded\.$/m,
  ],
  [
    'a wrong password',
    () => onServer({ password: encodeURIComponent(PASSWORD) }),
    /^DATABASE_URL, .*:\d+: password authentication failed for user "petstore"\. Check user, password and database/,
  ],
  [
    'a port that is taken',
    () => ({ ...onServer(), PORT: takenPort, LOG_LEVEL: 'error' }),
    /^PORT is \d+: it is in use at 127\.0\.0\.1 \(EADDRINUSE\); allowed: a free port other than OPS_PORT, or 0/,
  ],
])('ends with one message for %s', async (_what, environment, message) => {
  expect(await failedStart(environment())).toMatch(message);
});

// The program writes the message of each of these kinds of errors, as above.
it.each<[string, string, () => Environment, RegExp]>([
  [
    'DatabaseStartError',
    'a database that is not there',
    () => onServer({ pathname: '/nowhere' }),
    /^DATABASE_URL, .*:\d+: database "nowhere" does not exist\. Check user, password and database/,
  ],
  [
    'DatabaseStartError',
    'a server that is not there',
    () => elsewhere('postgres://petstore:Sesame@127.0.0.1:1/postgres'),
    /^DATABASE_URL, 127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1\. Nothing responds there: start PostgreSQL/,
  ],
  [
    'ListenError',
    'a port of the management listener that is taken',
    () => ({ ...onServer(), OPS_PORT: takenPort, LOG_LEVEL: 'error' }),
    /^OPS_PORT is \d+: it is in use at 127\.0\.0\.1 \(EADDRINUSE\); allowed: a free port other than PORT, or 0/,
  ],
  [
    'ListenError',
    'an address of another machine',
    () => ({ ...onServer(), HOST: '192.0.2.1', LOG_LEVEL: 'error' }),
    /^HOST is "192\.0\.2\.1": this machine cannot listen at this address \(EADDRNOTAVAIL\); allowed: an IPv4/,
  ],
  [
    'ListenError',
    'a name without an address',
    () => ({ ...onServer(), OPS_HOST: 'nowhere.invalid', OPS_PORT: '0', LOG_LEVEL: 'error' }),
    /^OPS_HOST is "nowhere\.invalid": no address of this name is found \(E\w+\); allowed: an IPv4/,
  ],
])('is refused with a %s for %s', async (name, _what, environment, message) => {
  const start = async (): Promise<unknown> =>
    startService(readConfiguration({ PORT: '0', ...environment() }), new WatchedLog().log);
  const error: unknown = await start().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name, message: expect.stringMatching(message) });
});

it('ends with the error, and with its database, when it cannot load the program', async () => {
  const dataDir = join(folder.path, 'not loaded');
  await putDatabase(dataDir);
  // Asks for a package that is not there.
  const program = new Program(dataDir, { NODE_PG_FORCE_NATIVE: '1', LOG_LEVEL: 'fatal' });
  await expect(program.started()).rejects.toThrow("It did not start: Error: Cannot find module 'pg-native'");
  expect(await program.end()).toBe(1);
  expect(await connectToRunning(dataDir)).toBeUndefined();
});

it('ends at once with one message when the data folder cannot be made', async () => {
  expect(await failedStart({}, '/dev/null/x')).toMatch(
    /^The data folder \/dev\/null\/x cannot be used: ENOTDIR: .* mkdir '\/dev\/null\/x'/,
  );
});

it('ends with one message when the pepper can be read by others', async () => {
  const dataDir = join(folder.path, 'pepper');
  await putDatabase(dataDir);
  await writeFile(join(dataDir, 'pepper'), PEPPER);
  // Whatever the mask of this process is.
  await chmod(join(dataDir, 'pepper'), 0o644);
  expect(await failedStart({ LOG_LEVEL: 'error' }, dataDir)).toMatch(
    /\/pepper is open to other users \(mode 0644\)\. Close it with: chmod 0600 '/,
  );
});

it('takes the password from the file of PGPASSFILE, without a warning', async () => {
  const { username, password, port } = new URL(postgres.url);
  const file = join(folder.path, 'passwords');
  await writeFile(file, `*:${port}:*:${username}:${decodeURIComponent(password)}\n`, { mode: 0o600 });
  const environment = { ...onServer({ password: '' }), PGPASSFILE: file };
  const program = await new Program(folder.path, environment).started();
  expect(await program.end()).toBe(0);
  expect(program.output).not.toMatch(/deprecat/i);
});

// Of a person who works with other databases; none of it is about the embedded one.
it('starts whatever the PG... variables of the shell say', async () => {
  const shell = {
    ...{ PGHOST: 'db.invalid', PGPORT: '1', PGUSER: 'nobody', PGPASSWORD: 'Sesame', PGDATABASE: 'nowhere' },
    ...{ PGSSLMODE: 'require', PGSSLNEGOTIATION: 'direct', PGSSLROOTCERT: '/nowhere', PGREPLICATION: 'true' },
    ...{
      PGOPTIONS: '-c nonsense=1',
      PGCLIENTENCODING: 'LATIN1',
      PGAPPNAME: 'psql',
      PGDATESTYLE: 'German',
      PGTZ: 'X/Y',
    },
    ...{
      PGDATA: '/nowhere',
      PGCONNECT_TIMEOUT: '1',
      PGTARGETSESSIONATTRS: 'standby',
      PGSERVICE: 'x',
      PGPASSFILE: '/x',
    },
  };
  const program = await new Program(join(folder.path, 'shell'), shell).started();
  expect(await program.end()).toBe(0);
});
