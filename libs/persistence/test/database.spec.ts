import { readdir, readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { petJson } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import type { Client } from 'pg';
import {
  Database,
  DatabaseHealth,
  ListenNotifyBus,
  PersistenceModule,
  PetStore,
  Scheduler,
} from '../src/index.js';
import { MIGRATIONS } from '../src/migrations/migrations.js';
import { rex } from './pet-actions.js';
import { connect, PATIENT } from './test-database.js';

const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

let server: TestPostgres;
let admin: Client;
beforeAll(async () => {
  server = await startTestPostgres();
  admin = await connect(server.url);
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});

async function sessionsOf(name: string): Promise<number> {
  const { rowCount } = await admin.query('select from pg_stat_activity where application_name = $1', [name]);
  return rowCount ?? NaN;
}

// Another client would lack the listener for errors, without which a session that ends can end the process.
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

it('the module provides the stores of a database that it has brought up to date, runs the jobs, and closes it after them', async () => {
  const events: string[] = [];
  const migrated: string[] = [];
  @Injectable()
  class Feature {
    constructor(scheduler: Scheduler, database: Database) {
      scheduler.register({
        name: 'feature',
        intervalMs: 600_000,
        run: async (signal) => {
          events.push('run');
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve);
          });
          await database.manager.query('select 1');
          events.push('ended with a connection');
        },
      });
    }
  }
  const options = {
    database: { url: server.url, applicationName: 'module' },
    log: { warn: () => undefined, error: () => undefined },
    eventRetentionDays: 30,
    runsJobs: true,
    migrated: (names: readonly string[]) => migrated.push(...names),
  };
  @Module({
    imports: [PersistenceModule.forRootAsync({ useFactory: () => options })],
    providers: [Feature],
  })
  class App {}
  const app = await NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
  expect(migrated).toEqual(MIGRATIONS.map(({ name }) => name));
  const pet = await app.get(PetStore).create(rex);
  expect(await app.get(PetStore).find(pet.id)).toBe(petJson(pet));
  await app.get(ListenNotifyBus).subscribe(() => undefined);
  const health = app.get(DatabaseHealth);
  expect(await health.check()).toBe('ok');
  await admin.query(`update schema_migrations set name = 'away ' || name`);
  // Calls at the same time share one query.
  expect(health.check()).toBe(health.check());
  expect(await health.check()).toBe('schema_outdated');
  await admin.query('update schema_migrations set name = substring(name from 6)');
  const jobs = await waitFor(async () => {
    const { rows } = await admin.query<{ name: string }>('select name from scheduled_jobs order by name');
    return rows.length >= 7 && rows.map(({ name }) => name.replace('retention:', ''));
  });
  expect(jobs).toEqual([
    ...['feature', 'api_key_usage', 'deliveries_of_removed_webhooks', 'events', 'idempotent_requests'],
    ...['removed_webhooks', 'webhook_deliveries'],
  ]);
  await waitFor(() => events.includes('run'));
  await app.close();
  expect(events).toEqual(['run', 'ended with a connection']);
  await waitFor(async () => (await sessionsOf('module')) + (await sessionsOf('petstore key events')) === 0);
  expect(await health.check()).toBe('unavailable');
});

it('names and counts its connections, each kept alive after 30 s, before what stands in between forgets it', async () => {
  const kept = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const database = await Database.open({ url: server.url, ...PATIENT, applicationName: 'kept alive' });
  const events = new ListenNotifyBus(database);
  await events.subscribe(() => undefined);
  expect(database.poolStats()).toEqual({ total: 8, idle: 8, waiting: 0 });
  expect(await sessionsOf('kept alive')).toBe(8);
  // The session of events has a name of its own; others were opened and closed at the start.
  expect(kept.mock.calls.length).toBeGreaterThan(8);
  expect(new Set(kept.mock.calls.map((call) => String(call)))).toEqual(new Set(['true,30000']));
  kept.mockRestore();
  await events.close();
  await database.close();
});
