import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';
import { Database } from '../src/database/database.js';
import { DatabaseStartError, explainStart } from '../src/connection/explain-start.js';
import { transactionPooler } from './transaction-pooler.js';
import { Wire } from './wire.js';

let server: TestPostgres;
let admin: Client;
/** Takes connections, and never sends anything. */
let silent: Server;
const sockets: Socket[] = [];
/** Begins before all tests, because it takes five seconds. */
let openingOfSilent: Promise<unknown>;

beforeAll(async () => {
  silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  openingOfSilent = Database.open({ url: urlOfSilent() }).catch((error: unknown) => error);
  server = await startTestPostgres();
  admin = new Client(server.url);
  await admin.connect();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await admin.end();
  await server.stop();
});

const urlOfSilent = (): string =>
  `postgres://petstore:secret@127.0.0.1:${(silent.address() as AddressInfo).port}/postgres`;

/** Passwords that URL parsers take apart at the wrong place; each must be percent-encoded. */
const ODD = ['p@ss/w:rd', 'a#b?c', '100%25', 'wörd&x=y', '[::1]:9876', "'; drop", '\\back slash'];
const PART = /[^A-Za-z0-9]+/;

async function refusalOf(change: (url: URL) => void, migrate = false): Promise<DatabaseStartError> {
  const url = new URL(server.url);
  change(url);
  const failure: unknown = await Database.open({ url: url.href }).then(
    async (database) => {
      try {
        if (migrate) await database.migrate();
        return 'no failure';
      } catch (error) {
        return error;
      } finally {
        await database.close();
      }
    },
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(DatabaseStartError);
  return failure as DatabaseStartError;
}

describe('a database that cannot be opened', () => {
  it.each(ODD)('for the wrong password %s is named without any part of it', async (password) => {
    const { message } = await refusalOf((url) => {
      url.password = encodeURIComponent(password);
    });
    expect(message).toMatch(
      /^DATABASE_URL, \S+:5432: password authentication failed for user "petstore"\. Check user, password and database /,
    );
    for (const part of [password, encodeURIComponent(password), ...password.split(PART).filter(Boolean)]) {
      if (part.length > 2) expect(message).not.toContain(part);
    }
  });

  it('because its role may not change the schema says which right is missing', async () => {
    await admin.query(`create database closed`);
    await admin.query(`create role reader login password 'reader-secret'`);
    const { message } = await refusalOf((url) => {
      url.pathname = '/closed';
      url.username = 'reader';
      url.password = 'reader-secret';
    }, true);
    expect(message).toContain(': permission denied for schema public. Run npm run migrate with a role that');
    expect(message).not.toContain('reader-secret');
  });

  it.each<[string, (url: URL) => void, string]>([
    [
      'there is no such host',
      (url) => (url.hostname = 'db.invalid'),
      'Nothing responds there: start PostgreSQL',
    ],
    [
      'there is no such database',
      (url) => (url.pathname = '/nowhere'),
      'database "nowhere" does not exist. Check user',
    ],
    [
      'the URL holds no password',
      (url) => (url.password = ''),
      'password must be a string. Check user, password',
    ],
    [
      'a certificate is missing',
      (url) => {
        url.searchParams.set('sslmode', 'verify-full');
        url.searchParams.set('sslrootcert', '/nowhere/ca.pem');
      },
      "no such file or directory, open '/nowhere/ca.pem'.",
    ],
    [
      'the server has no TLS',
      (url) => {
        url.searchParams.set('sslmode', 'verify-full');
      },
      'The server does not support SSL connections.',
    ],
    [
      'a parameter of its sessions is unknown',
      (url) => {
        url.searchParams.set('options', '-c nonsense=1');
      },
      'unrecognized configuration parameter "nonsense".',
    ],
    [
      'it negotiates TLS without TLS',
      (url) => {
        url.searchParams.set('sslnegotiation', 'direct');
      },
      'sslnegotiation=direct requires SSL to be enabled.',
    ],
  ])('because %s says so', async (_what, change, expected) => {
    const wire = await Wire.to(server.url);
    const { message } = await refusalOf((url) => {
      const tcp = new URL(wire.url);
      [url.hostname, url.port] = [tcp.hostname, tcp.port];
      url.searchParams.delete('host');
      change(url);
    });
    wire.refuse();
    expect(message).toMatch(/^DATABASE_URL, (?:127\.0\.0\.1|db\.invalid):\d+: /);
    expect(message).toContain(expected);
    expect(message).not.toContain(new URL(server.url).password);
  });
});

describe('a connection pooler', () => {
  it('that keeps sessions is worked with', async () => {
    const pooler = await transactionPooler(server.url, 'session');
    const database = await Database.open({ url: pooler.url });
    await database.ping();
    await database.close();
    await pooler.close();
  });

  it('that gives them to others after each transaction is refused', async () => {
    const pooler = await transactionPooler(server.url, 'transaction');
    await expect(Database.open({ url: pooler.url })).rejects.toThrow(
      /^DATABASE_URL, 127\.0\.0\.1:\d+: a connection pooler shares sessions \(PgBouncer: set pool_mode = session\)\.$/,
    );
    await pooler.close();
  });

  it('that has no session is told in its own words', async () => {
    const wire = await Wire.to(server.url);
    wire.refusal = 'no more connections allowed (max_client_conn)';
    await expect(Database.open({ url: wire.url })).rejects.toThrow(`: ${wire.refusal}.`);
    wire.refuse();
  });
});

it('says so after five seconds when nobody answers', async () => {
  const failure = await openingOfSilent;
  expect(failure).toBeInstanceOf(DatabaseStartError);
  const { host } = new URL(urlOfSilent());
  expect((failure as Error).message).toMatch(
    new RegExp(
      `^DATABASE_URL, ${host}: timeout expired\\. Nothing responds there: start PostgreSQL, or check`,
    ),
  );
});

it('leaves a fault of the program as it is', () => {
  const fault = new TypeError('x is not a function');
  expect(explainStart(fault, 'postgres://u:secret@h/db', 'DATABASE_URL')).toBe(fault);
});
