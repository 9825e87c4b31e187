import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';
import { Database } from '../src/database/database.js';
import { DatabaseStartError } from '../src/connection/explain-start.js';
import { explainStart } from '../src/connection/explain-start.js';
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
const ODD = ['p@ss/w:rd', 'a#b?c', '100%25', 'wörd&x=y', '[::1]:5432', "'; drop", '\\back slash'];
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
      /^DATABASE_URL is postgresql:\/\/petstore:\*\*\*@\/\S+ \/postgres: the server refuses the password \(password authentication failed for user "petstore"\)\./,
    );
    for (const part of [password, encodeURIComponent(password), ...password.split(PART).filter(Boolean)]) {
      if (part.length > 2) expect(message).not.toContain(part);
    }
  });

  it('because it does not keep its text in UTF-8 is told how to be made', async () => {
    await admin.query(
      `create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
    );
    const { message } = await refusalOf((url) => {
      url.pathname = '/latin';
    });
    expect(message).toContain('The database latin has the encoding LATIN1, and UTF8 is needed.');
  });

  it('because its role may not change the schema says which right is missing', async () => {
    await admin.query(`create database closed`);
    await admin.query(`create role reader login password 'reader-secret'`);
    const { message } = await refusalOf((url) => {
      url.pathname = '/closed';
      url.username = 'reader';
      url.password = 'reader-secret';
    }, true);
    expect(message).toContain(
      'this user lacks a right (permission denied for schema public). Run npm run migrate',
    );
    expect(message).not.toContain('reader-secret');
  });

  it.each([
    [
      'default_transaction_read_only = on',
      'The sessions of this user cannot write (default_transaction_read_only is on).',
    ],
    [`search_path = ''`, 'The search_path of this user is "", and names no schema that exists'],
    ['search_path = nowhere', 'The search_path of this user is nowhere, and names no schema that exists'],
    [
      'session_replication_role = replica',
      'session_replication_role of this user is replica, which turns triggers and',
    ],
  ])('because its role has %s says so', async (setting, expected) => {
    await admin.query(`
      create role set_up superuser login password 'set-up';
      alter role set_up set ${setting}`);
    try {
      const { message } = await refusalOf((url) => {
        url.username = 'set_up';
        url.password = 'set-up';
      });
      expect(message).toContain(expected);
    } finally {
      await admin.query('drop role set_up');
    }
  });

  it.each<[string, (url: URL) => void, string]>([
    ['there is no such host', (url) => (url.hostname = 'db.invalid'), 'the host cannot be found'],
    [
      'a certificate is missing',
      (url) => {
        url.searchParams.set('sslmode', 'verify-full');
        url.searchParams.set('sslrootcert', '/nowhere/ca.pem');
      },
      'a file of certificates that the URL names cannot be found.',
    ],
    [
      'the server has no TLS',
      (url) => {
        url.searchParams.set('sslmode', 'verify-full');
      },
      'the server does not offer TLS.',
    ],
    [
      'a parameter of its sessions is unknown',
      (url) => {
        url.searchParams.set('options', '-c nonsense=1');
      },
      'the server refuses the session (unrecognized configuration parameter "nonsense").',
    ],
    [
      'its sessions are for replication',
      (url) => {
        url.searchParams.set('replication', 'database');
      },
      'the parameter replication of the URL, or PGREPLICATION, makes sessions that cannot query.',
    ],
    [
      'it negotiates TLS without TLS',
      (url) => {
        url.searchParams.set('sslnegotiation', 'direct');
      },
      'a parameter of the URL, or PGSSLMODE or PGSSLNEGOTIATION, is wrong (sslnegotiation=direct requires',
    ],
    [
      'it wants nonsense',
      (url) => {
        url.searchParams.set('require_auth', 'yes');
      },
      'require_auth may be a list of',
    ],
    [
      'the URL holds no password',
      (url) => (url.password = ''),
      'the server asks for a password, and the URL holds none.',
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
    expect(message).toMatch(/^DATABASE_URL is postgresql:\/\/petstore(:\*\*\*)?@\S+: /);
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
      'A connection pooler stands in between that gives one session of PostgreSQL to several users',
    );
    await pooler.close();
  });

  it.each([
    ['server login has been failing, try again later (server_login_retry)', 'cannot log in to PostgreSQL'],
    ['server login has been failing, cached error: connect failed (server_login_retry)', 'cannot log in to'],
    ['query_wait_timeout', 'had no session of PostgreSQL free in time'],
    ['no more connections allowed (max_client_conn)', 'takes no more clients'],
    ['client connections exceeded (max_db_client_connections)', 'takes no more clients'],
    ['no such database: postgres', 'does not serve this database'],
    ['SASL authentication failed', 'refuses the user or the password'],
    ['unsupported startup parameter: options', 'refuses a parameter that the URL or PGOPTIONS sets'],
    ['SSL required', 'takes connections with TLS only'],
    ['TLS client certificate required', 'asks for a client certificate'],
    ['bouncer config error', 'is not configured correctly'],
    ['server shutting down', 'shuts down or is paused'],
  ])('that says "%s" is told from a broken server', async (says, means) => {
    const wire = await Wire.to(server.url);
    wire.refusal = says;
    const failure = (await Database.open({ url: wire.url }).catch((error: unknown) => error)) as Error;
    expect(failure).toBeInstanceOf(DatabaseStartError);
    const [prefix, reason] = failure.message.split('A connection pooler in between ');
    expect(prefix).toMatch(/^DATABASE_URL is postgresql:\/\/petstore:\*\*\*@.*\/postgres: $/);
    // Told once: what it means, and what it says.
    expect([reason?.startsWith(means), reason?.endsWith(` (${says}).`)]).toEqual([true, true]);
    // At the first query, for a session that had begun.
    wire.holds = 'sessions';
    await expect(Database.open({ url: wire.url })).rejects.toThrow(`A connection pooler in between ${means}`);
    wire.refuse();
  });
});

it('says so after five seconds when nobody answers', async () => {
  const failure = await openingOfSilent;
  expect(failure).toBeInstanceOf(DatabaseStartError);
  expect((failure as Error).message).toContain(
    `DATABASE_URL is ${urlOfSilent().replace('secret', '***')}: no server responds there in time.`,
  );
});

it('leaves a fault of the program as it is', () => {
  const fault = new TypeError('x is not a function');
  expect(explainStart(fault, 'postgres://u:secret@h/db', 'DATABASE_URL')).toBe(fault);
});
