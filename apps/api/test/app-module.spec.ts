import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { RateLimiter } from '@petstore/rate-limit';
import { KeyUsageRecorder } from '@petstore/api-key';
import { readConfiguration } from '../src/configuration/configuration.js';
import { EdgeMiddleware, GracefulShutdown, StrictExpressAdapter } from '@petstore/http-server';
import { ManagementServer } from '@petstore/observability';
import { Database, PetStore, Scheduler } from '@petstore/persistence';
import { PetId } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { AppModule } from '../src/app.module.js';
import { serverElsewhere } from '../src/storage/database-server.js';
import { WatchedLog } from './watched-log.js';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

async function createApplication(pets?: PetStore): Promise<INestApplication> {
  const environment = {
    PORT: '0',
    DATABASE_URL: postgres.url,
    API_KEY_PEPPER: 'a pepper for tests of the module',
    OPS_PORT: '0',
  };
  const builder = Test.createTestingModule({
    imports: [
      AppModule.forRoot({
        configuration: readConfiguration(environment),
        log: new WatchedLog().log,
        server: serverElsewhere(postgres.url, false),
        opensManagementListener: true,
      }),
    ],
  });
  if (pets !== undefined) builder.overrideProvider(PetStore).useValue(pets);
  const module = await builder.compile();
  const app = module.createNestApplication(new StrictExpressAdapter(), {
    bodyParser: false,
    routeResolutionStrategy: 'specificity',
    logger: false,
  });
  app.use(app.get(EdgeMiddleware).use);
  return app.init();
}

it('lets a test put another provider in the place of any of its own', async () => {
  const id = PetId.parse('42');
  const pets = { find: () => Promise.resolve(`{"id":${id}}`) } as unknown as PetStore;
  const app = await createApplication(pets);
  expect(app.get(PetStore)).toBe(pets);
  await app.close();
});

it('closes its parts in the order in which nothing is missing to any of them', async () => {
  const app = await createApplication();
  const order: string[] = [];
  const watch = <Hook extends string>(part: Record<Hook, () => unknown>, hook: Hook, name: string): void => {
    const close = part[hook].bind(part);
    part[hook] = async () => {
      await close();
      order.push(name);
    };
  };
  watch(app.get(GracefulShutdown), 'beforeApplicationShutdown', 'requests');
  watch(app.get(Scheduler), 'beforeApplicationShutdown', 'scheduled jobs');
  watch(app.get(ManagementServer), 'onApplicationShutdown', 'management listener');
  watch(app.get(RateLimiter), 'onApplicationShutdown', 'limiter');
  watch(app.get(KeyUsageRecorder), 'onApplicationShutdown', 'use of keys');
  watch(app.get(Database), 'onApplicationShutdown', 'database');
  await app.close();
  expect(order).toEqual([
    'requests',
    'scheduled jobs',
    'management listener',
    'limiter',
    'use of keys',
    'database',
  ]);
});
