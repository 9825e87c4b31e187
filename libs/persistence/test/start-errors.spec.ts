import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { Database } from '../src/database/database.js';
import { DatabaseStartError, explainStart } from '../src/connection/explain-start.js';
import { connect } from './test-database.js';
import { transactionPooler } from './transaction-pooler.js';
import { Wire } from './wire.js';

let server: TestPostgres;
let wire: Wire;
beforeAll(async () => {
  server = await startTestPostgres();
  wire = await Wire.to(server.url);
});
afterAll(async () => {
  wire.refuse();
  await server.stop();
});

/** What is said of an address that cannot be used. */
async function refusalOf(url: string): Promise<string> {
  const migrating = async (): Promise<void> => {
    const database = await Database.open({ url });
    try {
      await database.migrate();
    } finally {
      await database.close();
    }
  };
  const failure: unknown = await migrating().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseStartError);
  const { message } = failure as DatabaseStartError;
  expect(message).toMatch(/^DATABASE_URL, (?:127\.0\.0\.1|db\.invalid):\d+: /);
  for (const address of [server.url, url]) {
    const password = decodeURIComponent(new URL(address).password);
    for (const part of [password, ...password.split(/[^A-Za-z0-9]+/)])
      if (part.length > 2) expect(message).not.toContain(part);
  }
  return message;
}

it.each<[string, (url: URL) => unknown, string]>([
  [
    'there is no such host',
    (url) => (url.hostname = 'db.invalid'),
    'Nothing responds there: start PostgreSQL',
  ],
  [
    'the URL holds no password',
    (url) => (url.password = ''),
    'password must be a string. Check user, password',
  ],
  [
    'the password is another one, which URL parsers take apart at the wrong place',
    (url) => (url.password = encodeURIComponent('p@ss/w:rd#at?[::1]:9876')),
    'password authentication failed for user "petstore". Check user, password',
  ],
  [
    'a certificate is missing',
    (url) => (url.search = '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'),
    "no such file or directory, open '/nowhere/ca.pem'.",
  ],
  ['the server has no TLS', (url) => (url.search = '?sslmode=require'), 'The server does not support SSL'],
  [
    'a parameter of its sessions is unknown',
    (url) => (url.search = '?options=-c%20nonsense%3D1'),
    'unrecognized configuration parameter "nonsense".',
  ],
])('a database that cannot be opened because %s says so', async (_what, change, expected) => {
  const url = new URL(wire.url);
  change(url);
  expect(await refusalOf(url.href)).toContain(expected);
});

it('a role that may not change the schema says which right is missing', async () => {
  const admin = await connect(server.url);
  await admin.query(`create role reader login password 'reader-secret'`);
  await admin.end();
  const url = new URL(wire.url);
  [url.username, url.password] = ['reader', 'reader-secret'];
  expect(await refusalOf(url.href)).toContain(
    ': permission denied for schema public. Run npm run migrate with a role that',
  );
});

it('a database of another state of the first release says in one line what can be carried over', async () => {
  const admin = await connect(server.url);
  await admin.query('create database foreign_state');
  const url = new URL(wire.url);
  url.pathname = '/foreign_state';
  const database = await Database.open({ url: url.href });
  expect(await database.migrate()).not.toEqual([]);
  expect(await database.migrate()).toEqual([]);
  await database.manager.query(`update schema_migrations set fingerprint = 'other'`);
  await database.close();
  const message = await refusalOf(url.href);
  expect(message).not.toContain('\n');
  expect(message).toContain(
    ': this database was made by another state of the service before its first release. Remove the data folder of a trial, ' +
      'or import into a new database what "npm run export -- --format petstore" of the old version writes: animals',
  );
  await admin.query('drop database foreign_state');
  await admin.end();
});

it('a server that never answers is told after five seconds', async () => {
  wire.holds = true;
  expect(await refusalOf(wire.url)).toContain('timeout expired. Nothing responds there: start PostgreSQL');
  wire.holds = false;
});

it('a pooler that gives sessions to others is refused', async () => {
  const pooler = await transactionPooler(server.url);
  expect(await refusalOf(pooler.url)).toMatch(
    /: a connection pooler shares sessions \(PgBouncer: set pool_mode = session\)\.$/,
  );
  pooler.close();
});

it('a fault of the program is left as it is', () => {
  const fault = new TypeError('x is not a function');
  expect(explainStart(fault, 'postgres://u:secret@h/db', 'DATABASE_URL')).toBe(fault);
});
