import { readdir, readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { petJson } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import type { Client } from 'pg';
import {
  Database,
  DatabaseHealth,
  PersistenceModule,
  type PersistenceOptions,
  PetStore,
  ListenNotifyBus,
  Scheduler,
} from '../src/index.js';
import { MIGRATIONS } from '../src/migrations/migrations.js';
import { rex } from './pet-actions.js';
import { NO_PET } from './queries.js';
import { Stores } from './stores.js';
import { connect, PATIENT } from './test-database.js';

const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

let server: TestPostgres;
let admin: Client;
beforeAll(async () => {
  server = await startTestPostgres();
  admin = await connect(server.url);
  const database = await Database.open({ url: server.url });
  await database.migrate();
  await database.close();
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});

async function sessionsOf(name: string): Promise<number> {
  const { rowCount } = await admin.query('select from pg_stat_activity where application_name = $1', [name]);
  return rowCount ?? NaN;
}

describe('a database', () => {
  it('says which migrations the schema lacks, names its sessions, and counts them', async () => {
    const database = await Database.open({ url: server.url, ...PATIENT, applicationName: 'petstore-test' });
    expect(await database.missingMigrations()).toEqual([]);
    expect(database.poolStats()).toEqual({ total: 7, idle: 7, waiting: 0 });
    expect(await sessionsOf('petstore-test')).toBe(7);
    await admin.query(`update schema_migrations set name = 'away ' || name`);
    expect(await database.missingMigrations()).toEqual(MIGRATIONS.map(({ name }) => name));
    await admin.query('update schema_migrations set name = substring(name from 6)');
    await database.close();
  });

  it('passes an error on as it is that does not mean an unavailable server', async () => {
    const stores = await Stores.open({ url: server.url, ...PATIENT });
    await admin.query('alter table pets rename to hidden');
    await expect(stores.pets.find(NO_PET)).rejects.toMatchObject({ code: '42P01' });
    await admin.query('alter table hidden rename to pets');
    await stores.close();
  });
});

// Another client would lack the listener for errors, without which a session that ends can end the process, and the rule
// to which servers the password is sent.
it('all sessions with PostgreSQL are of one class', async () => {
  const found: string[] = [];
  for (const group of ['libs', 'apps']) {
    for (const project of await readdir(join(WORKSPACE, group))) {
      const src = join(WORKSPACE, group, project, 'src');
      for (const file of await readdir(src, { recursive: true }).catch(() => [])) {
        if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
        const text = await readFile(join(src, file), 'utf8');
        if (text.includes("from 'pg'") && /(?:new|extends) (?:Client|Pool|pg\.\w+)\b/.test(text))
          found.push(relative(WORKSPACE, join(src, file)));
      }
    }
  }
  expect(found).toEqual(['libs/persistence/src/connection/database-client.ts']);
});

it('keeps every connection alive after 30 s, before what stands in between forgets it', async () => {
  const kept = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const database = await Database.open({ url: server.url, ...PATIENT, applicationName: 'kept alive' });
  const events = new ListenNotifyBus(database);
  await events.subscribe(() => undefined);
  // The session of events has a name of its own; others were opened and closed at the start.
  expect(kept.mock.calls.length).toBeGreaterThan(await sessionsOf('kept alive'));
  expect(new Set(kept.mock.calls.map((call) => String(call)))).toEqual(new Set(['true,30000']));
  kept.mockRestore();
  await events.close();
  await database.close();
});

describe('DatabaseHealth', () => {
  const unavailable = (): Promise<never> => Promise.reject(new Error('unavailable'));
  const never = (): Promise<never> => new Promise(() => undefined);
  const fine = (): Promise<void> => Promise.resolve();

  const migrated = (): Promise<string[]> => Promise.resolve([]);
  const writes = (): Promise<boolean> => Promise.resolve(true);
  const refuses = (): Promise<boolean> => Promise.resolve(false);

  it.each([
    ['ok', migrated, writes, unavailable, writes],
    ['read_only', migrated, refuses, unavailable, writes],
    ['schema_outdated', (): Promise<string[]> => Promise.resolve(['Later']), writes, fine, writes],
    ['busy', unavailable, writes, fine, writes],
    ['busy', migrated, unavailable, fine, writes],
    ['busy', migrated, writes, fine, refuses],
    ['unavailable', unavailable, writes, unavailable, writes],
    ['unavailable', never, writes, fine, writes],
    ['unavailable', unavailable, writes, never, writes],
  ])('is %s', async (status, missingMigrations, takesWrites, responds, takesSessions) => {
    const health = new DatabaseHealth({ missingMigrations, takesWrites, responds, takesSessions });
    expect(await health.check()).toBe(status);
  });

  it('queries once for all calls at the same time, and again later', async () => {
    let queries = 0;
    const missingMigrations = (): Promise<string[]> => {
      queries++;
      return Promise.resolve([]);
    };
    const health = new DatabaseHealth({
      missingMigrations,
      takesWrites: writes,
      responds: fine,
      takesSessions: writes,
    });
    await Promise.all([health.check(), health.check()]);
    expect(queries).toBe(1);
    await health.check();
    expect(queries).toBe(2);
  });
});

describe('PersistenceModule', () => {
  const optionsOf = (name: string, more: Partial<PersistenceOptions> = {}): PersistenceOptions => ({
    database: { url: server.url, applicationName: name },
    log: { warn: () => undefined, error: () => undefined },
    eventRetentionDays: 30,
    runsJobs: true,
    ...more,
  });
  const start = (module: object): Promise<INestApplicationContext> =>
    NestFactory.createApplicationContext(module as never, { logger: false, abortOnError: false });

  it('provides the stores of a database that it has brought up to date, and closes it', async () => {
    await admin.query('drop schema public cascade; create schema public');
    const migrated: string[] = [];
    const options = optionsOf('module', { migrated: (names) => migrated.push(...names) });
    const app = await start(PersistenceModule.forRootAsync({ useFactory: () => Promise.resolve(options) }));
    expect(migrated).toEqual(MIGRATIONS.map(({ name }) => name));
    const pet = await app.get(PetStore).create(rex);
    expect(await app.get(PetStore).find(pet.id)).toBe(petJson(pet));
    await app.get(ListenNotifyBus).subscribe(() => undefined);
    expect(await app.get(DatabaseHealth).check()).toBe('ok');
    expect(await sessionsOf('module')).toBeGreaterThan(1);
    await app.close();
    await waitFor(async () => (await sessionsOf('module')) + (await sessionsOf('petstore key events')) === 0);
    expect(await app.get(DatabaseHealth).check()).toBe('unavailable');
  });

  it('runs the jobs of all modules, those of retention too, and ends them before the connections', async () => {
    const events: string[] = [];
    @Injectable()
    class Feature {
      onModuleInit(): void {
        events.push('init');
      }
    }
    @Module({
      imports: [PersistenceModule.forRootAsync({ useFactory: () => optionsOf('jobs') })],
      providers: [Feature],
    })
    class App {}
    const app = await start(App);
    const database = app.get(Database);
    app.get(Scheduler).register({
      name: 'feature',
      intervalMs: 100,
      timeoutMs: 20_000,
      run: async (signal) => {
        events.push('run');
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        await database.ping();
        events.push('ended with a connection');
      },
    });
    const jobs = await waitFor(async () => {
      const { rows } = await admin.query<{ name: string }>('select name from scheduled_jobs order by name');
      return rows.length >= 7 && rows.map(({ name }) => name);
    });
    expect(jobs).toEqual([
      'feature',
      'retention:api_key_usage',
      'retention:deliveries_of_removed_webhooks',
      'retention:events',
      'retention:idempotent_requests',
      'retention:removed_webhooks',
      'retention:webhook_deliveries',
    ]);
    await waitFor(() => events.includes('run'));
    await app.close();
    expect(events).toEqual(['init', 'run', 'ended with a connection']);
  });
});
