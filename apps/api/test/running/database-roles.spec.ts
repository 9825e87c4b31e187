import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { Client as Postgres } from 'pg';
import {
  Database,
  ListenNotifyBus,
  ApiKeyTables,
  removeOldRows,
  retentionRules,
} from '@petstore/persistence';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { ApiKeyAdministration, KeySigner } from '@petstore/api-key';
import { PETSTORE_PLANS } from '../../src/access/petstore-plans.js';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import { readConfiguration } from '../../src/configuration/configuration.js';
import { createLog } from '../../src/logging/log.js';
import { type Service, startService } from '../../src/startup/start-service.js';
import { serverElsewhere } from '../../src/storage/database-server.js';
import { Client } from '../support/client.js';
import { adopt, haveDelivered } from './role-stories.js';
import { PATIENT_MS } from '../support/running-service.js';
import { until } from '../support/until.js';

const ROLES = new URL('../../../../deploy/postgres/roles.sql', import.meta.url);
const PEPPER = 'pepper-of-the-database-roles';
const LIMITS = { perMinute: 1_000, perDay: 1_000 };

/** What roles and databases are found with. None of it may change what the service does. */
const SETTINGS: Readonly<Record<string, string>> = {
  client_encoding: 'LATIN1',
  datestyle: 'German, DMY',
  intervalstyle: 'sql_standard',
  timezone: 'Asia/Kolkata',
  bytea_output: 'escape',
  quote_all_identifiers: 'on',
  xmloption: 'document',
  plan_cache_mode: 'force_custom_plan',
  client_min_messages: 'debug5',
  default_transaction_isolation: 'serializable',
  synchronous_commit: 'off',
  statement_timeout: '10s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '10s',
  idle_session_timeout: '10s',
  transaction_timeout: '10s',
};

const TIMEOUTS = `
  select current_setting('statement_timeout') as statement, current_setting('transaction_timeout') as transaction,
         current_setting('idle_session_timeout') as idle, current_setting('synchronous_commit') as commits`;

let postgres: TestPostgres;
const lines: string[] = [];
const log = createLog('info', { write: (line: string) => void lines.push(line) });

const password = (role: string): string => `password-of-${role}`;

/** Address of the same database for another role. */
function urlOf(role: string): string {
  const url = new URL(postgres.url);
  url.username = role;
  url.password = password(role);
  return url.href;
}

async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const session = new Postgres({ connectionString: url });
  await session.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) {
      ({ rows } = await session.query<Record<string, unknown>>(statement));
    }
    return rows;
  } finally {
    await session.end();
  }
}

const asService = (...statements: string[]): Promise<Record<string, unknown>[]> =>
  query(urlOf('petstore_service'), ...statements);

beforeAll(async () => {
  postgres = await startTestPostgres();
  const roles = await readFile(ROLES, 'utf8');
  await query(
    postgres.url,
    roles,
    ...['petstore_owner', 'petstore_service'].map(
      (role) => `alter role ${role} password '${password(role)}'`,
    ),
  );
  const settings = Object.entries(SETTINGS);
  await query(
    postgres.url,
    ...['petstore_owner', 'petstore_service'].flatMap((role) =>
      settings.map(
        ([name, value]) => `alter role ${role} set ${name} = ${name === 'datestyle' ? value : `'${value}'`}`,
      ),
    ),
  );
  const owner = await Database.open({ url: urlOf('petstore_owner') });
  expect(await owner.migrate()).not.toEqual([]);
  await owner.close();
  await query(postgres.url, roles);
});
afterAll(() => postgres.stop());

describe('the role of the service', () => {
  let service: Service;
  let database: Database;
  let administration: ApiKeyAdministration;

  beforeAll(async () => {
    const environment = {
      PORT: '0',
      DATABASE_URL: urlOf('petstore_service'),
      API_KEY_PEPPER: PEPPER,
    };
    // What fails here fails for a right that is missing, not for a machine that is busy.
    const server = { ...serverElsewhere(environment.DATABASE_URL), responseTimeoutMs: PATIENT_MS };
    service = await startService(readConfiguration(environment), log, { server });
    database = await Database.open({ url: urlOf('petstore_service') });
    administration = new ApiKeyAdministration({
      repository: new ApiKeyTables(database),
      signer: new KeySigner(PEPPER),
      scopes: PETSTORE_SCOPES,
      plans: PETSTORE_PLANS,
      mode: 'test',
      events: new ListenNotifyBus(database),
    });
  });
  afterAll(async () => {
    await database.close();
    await service.close();
  });

  it('is all that a service needs, whatever its settings: keys and their events, animals, requests sent again, use', async () => {
    const issued = await administration.create(
      { name: 'a', plan: 'enterprise', limits: LIMITS, scopes: PETSTORE_SCOPES.all },
      'tests',
    );
    const id = issued.key.id;
    const client = new Client(service.origin, issued.secret);
    const animal = { name: 'Rëx – 🐕', categoryId: 1 };
    const once = { headers: { 'Idempotency-Key': 'once' } };
    expect((await client.post('/v1/pets', animal)).status).toBe(201);
    const first = await client.post('/v1/pets', animal, once);
    const again = await client.post('/v1/pets', animal, once);
    expect([first.status, again.text]).toEqual([201, first.text]);
    const path = first.headers.location ?? '';
    for (const read of ['/v1/pets?status=available&limit=1', path, '/v1/usage'])
      expect((await client.get(read)).status).toBe(200);
    expect((await client.get(path)).text).toContain('"name":"Rëx – 🐕"');
    expect((await client.post(path, { name: 'Mia' }, { method: 'PATCH' })).status).toBe(200);
    expect((await client.send(path, { method: 'DELETE' })).status).toBe(204);
    await adopt(client);
    await haveDelivered(client);
    await until(async () => (await client.get('/v1/events?limit=100')).text.includes('category.deleted'));
    expect((await client.get('/v1/store/inventory')).text).toBe('{"available":2,"pending":0,"sold":0}');

    expect(await database.manager.query(TIMEOUTS)).toEqual([
      { statement: '770ms', transaction: '0', idle: '0', commits: 'on' },
    ]);

    const rotated = await administration.rotate(id, 0, 'tests');
    // Known at once through LISTEN and NOTIFY; it would take up to ten seconds otherwise.
    await until(async () => (await client.get('/v1/pets')).status === 401);
    expect((await client.get('/v1/pets', { key: rotated.secret })).status).toBe(200);
    await administration.update(id, { name: 'b' }, 'tests');
    await administration.revoke(id, 'tests');
    await until(async () => (await client.get('/v1/pets', { key: rotated.secret })).status === 401);
    client.close();

    await asService(
      `update idempotent_requests set created_at = now() - interval '2 days'`,
      `insert into api_key_usage values ('${id}', '2020-01-01', 1, 0)`,
    );
    // The service may have removed some of them already.
    for (const rule of retentionRules(30)) await removeOldRows(database.manager, rule);
    expect(
      await asService(`
        select 1 from idempotent_requests
        union all select 1 from api_key_usage where day = '2020-01-01'`),
    ).toEqual([]);
  });

  it('writes down the use of keys when the service ends, and no right was missing for all this', async () => {
    await service.close();
    const [row] = await query(postgres.url, 'select sum(requests)::int as requests from api_key_usage');
    expect(row?.['requests']).toBeGreaterThanOrEqual(6);
    expect(lines.filter((line) => /42501|permission denied/.test(line))).toEqual([]);
  });

  it.each([
    'create table other (id int)',
    'create function f() returns int language sql as $$ select 1 $$',
    'alter table pets add column other int',
    'drop table pets',
    'truncate pets',
    'drop index pets_status_id',
    'alter table api_key_audit disable trigger all',
    'create role other',
    'create extension pg_trgm',
    `copy pets to '/tmp/pets'`,
    `select pg_read_file('/etc/passwd')`,
    'select rolpassword from pg_authid',
    `update api_key_audit set done_by = 'nobody'`,
    'delete from api_key_audit',
    'delete from schema_migrations',
    `insert into schema_migrations (timestamp, name) values (1, 'x')`,
    'set role petstore_owner',
    'create schema other',
    'create temporary table other (n int)',
  ])('is not allowed to: %s', async (statement) => {
    await expect(asService(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('may use tables of later migrations without another grant', async () => {
    await query(postgres.url, 'alter role petstore_owner reset all');
    await query(
      urlOf('petstore_owner'),
      'create table later (id bigint generated always as identity, name text)',
    );
    await asService(
      `insert into later (name) values ('a')`,
      `update later set name = 'b'`,
      'delete from later',
    );
  });
});

describe('the script', () => {
  it('does not take the rights of a superuser', async () => {
    const roles = await readFile(ROLES, 'utf8');
    await query(postgres.url, 'alter role petstore_service superuser');
    await expect(query(postgres.url, roles)).rejects.toThrow('must not be superusers');
    await query(postgres.url, 'alter role petstore_service nosuperuser');
  });
});

describe('a start on a schema that lacks migrations', () => {
  it('fails under the role of the service and leaves the schema as it was', async () => {
    await query(postgres.url, 'create database empty');
    const url = new URL(urlOf('petstore_service'));
    url.pathname = '/empty';
    const database = await Database.open({ url: url.href });
    await expect(database.migrate()).rejects.toMatchObject({
      message: expect.stringMatching(/permission denied/),
    });
    await database.close();
  });
});
