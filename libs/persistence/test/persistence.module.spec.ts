import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { KeyHash } from '@petstore/api-key';
import { CategoryId, petJson, PetName } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { PersistenceModule } from '../src/persistence.module.js';
import {
  Database,
  DatabaseHealth,
  type PersistenceOptions,
  PostgresApiKeyEventBus,
  PostgresApiKeyLookup,
  PostgresApiKeyRepository,
  PostgresKeyUsageStore,
  PetStore,
  Scheduler,
} from '../src/index.js';
import { createDataSource } from '../src/schema/data-source.js';
import { known } from '../src/testing/known.js';
import { soon } from './soon.js';

let server: TestPostgres;

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

const silent = { warn: () => undefined, error: () => undefined };

function optionsOf(name: string, more: Partial<PersistenceOptions> = {}): PersistenceOptions {
  return {
    database: { url: server.url, applicationName: name },
    log: silent,
    eventRetentionDays: 30,
    runsJobs: true,
    ...more,
  };
}

async function sessionsOf(name: string): Promise<number> {
  const admin = await createDataSource({ url: server.url }).initialize();
  const [row] = await admin.query<[{ n: number }]>(
    'select count(*)::int as n from pg_stat_activity where application_name = $1',
    [name],
  );
  await admin.destroy();
  return row.n;
}

function start(module: object): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(module as never, { logger: false, abortOnError: false });
}

describe('PersistenceModule', () => {
  it('provides the stores of a database that it has brought up to date, and closes it', async () => {
    const migrated: string[] = [];
    const options = optionsOf('module', { migrated: (names) => migrated.push(...names) });
    const app = await start(PersistenceModule.forRootAsync({ useFactory: () => Promise.resolve(options) }));
    expect(migrated).toContain('InitialSchema1795478400000');
    const pet = await app.get(PetStore).create({
      name: known(PetName.parse('Rex')),
      categoryId: known(CategoryId.parse('1')),
      status: 'available',
    });
    expect(await app.get(PetStore).find(pet.id)).toBe(petJson(pet));
    expect(await app.get(PostgresApiKeyLookup).find('none' as KeyHash)).toBeUndefined();
    expect(await app.get(PostgresApiKeyRepository).isEmpty()).toBe(true);
    await app.get(PostgresKeyUsageStore).add([]);
    await app.get(PostgresApiKeyEventBus).subscribe(() => undefined);
    expect(await app.get(DatabaseHealth).check()).toBe('ok');
    expect(app.get(Database).poolStats().total).toBeGreaterThan(1);
    expect(await sessionsOf('module')).toBeGreaterThan(1);
    await app.close();
    await soon(async () => {
      expect(await sessionsOf('module')).toBe(0);
      expect(await sessionsOf('petstore key events')).toBe(0);
    });
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
    const connection = app.get(Database);
    app.get(Scheduler).register({
      name: 'feature',
      intervalMs: 100,
      timeoutMs: 1_000,
      run: async (signal) => {
        events.push('run');
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        await connection.ping();
        events.push('ended with a connection');
      },
    });
    await soon(async () => {
      const jobs = await connection.manager.query<{ name: string }[]>(
        'select name from scheduled_jobs order by name',
      );
      expect(jobs.map(({ name }) => name)).toEqual([
        'feature',
        'retention:api_key_usage',
        'retention:deliveries_of_removed_webhooks',
        'retention:events',
        'retention:idempotent_requests',
        'retention:removed_webhooks',
        'retention:webhook_deliveries',
      ]);
    }, 5_000);
    await soon(() => (events.includes('run') ? Promise.resolve() : Promise.reject(new Error('not yet'))));
    await app.close();
    expect(events).toEqual(['init', 'run', 'ended with a connection']);
  });

  it('says what is wrong with a database that cannot be used', async () => {
    const options = {
      ...optionsOf('nobody'),
      database: { url: 'postgresql://petstore@127.0.0.1:1/postgres' },
    };
    await expect(start(PersistenceModule.forRootAsync({ useFactory: () => options }))).rejects.toMatchObject({
      name: 'DatabaseStartError',
    });
  });
});
