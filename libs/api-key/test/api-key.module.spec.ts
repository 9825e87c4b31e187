import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, type ModuleMetadata, UseGuards } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ApiKeyAdministration } from '../src/administration/api-key-administration.js';
import { KeyLookup } from '../src/cache/key-lookup.js';
import type { ApiKeyEvent } from '../src/events/api-key-event.js';
import { ApiKeyEventDispatcher } from '../src/events/api-key-event-dispatcher.js';
import { RequiresScope } from '../src/guard/access.decorator.js';
import { ApiKeyGuard } from '../src/guard/api-key.guard.js';
import { AuthFailureLimiter } from '../src/guard/auth-failure-limiter.js';
import { LocalBus, statusOf, Storage, StorageModule } from './module-fixture.js';
import { KeyStoreUnavailableError } from '../src/key/key-store-unavailable.error.js';
import { ApiKeyModule } from '../src/module/api-key.module.js';
import type { ApiKeyModuleOptions } from '../src/module/api-key.options.js';
import { UndefinedScopeError } from '../src/module/scope-check.js';
import { defineScopes } from '../src/scopes/scope-registry.js';

const scopes = defineScopes({
  'cats:read': { grants: 'lists cats', byDefault: true },
  'cats:write': { grants: 'adds cats' },
});
const PEPPER = 'a pepper of the tests';

@Controller('cats')
class CatsController {
  @Get()
  @RequiresScope('cats:read')
  list(): string {
    return 'Tom';
  }
}

@Controller('guarded')
@UseGuards(ApiKeyGuard)
class GuardedController {
  @Get()
  @RequiresScope('cats:write')
  list(): string {
    return 'Felix';
  }
}

@Controller('dogs')
class DogsController {
  @Get()
  @RequiresScope('dogs:read')
  list(): string {
    return 'Rex';
  }
}

let app: INestApplication | undefined;
let bus: LocalBus;
beforeEach(() => {
  app = undefined;
  bus = new LocalBus();
});
afterEach(() => app?.close());

function metadata(
  changes: Partial<ApiKeyModuleOptions> = {},
  controllers: ModuleMetadata['controllers'] = [CatsController],
): ModuleMetadata {
  const keys = ApiKeyModule.forRootAsync({
    imports: [StorageModule],
    inject: [Storage],
    useFactory: ({ store }: Storage) => ({ store, pepper: PEPPER, scopes, events: bus, ...changes }),
  });
  return {
    imports: [keys],
    controllers,
    providers: [ApiKeyGuard, { provide: APP_GUARD, useExisting: ApiKeyGuard }],
  };
}

async function start(testing = Test.createTestingModule(metadata())): Promise<INestApplication> {
  const module = await testing.compile();
  app = module.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

const ask = (path: string, key?: string): Promise<number> => statusOf(app, path, key);

const issue = (of: INestApplication, wanted = {}): ReturnType<ApiKeyAdministration['create']> =>
  of.get(ApiKeyAdministration).create({ name: 'shop', plan: 'free', ...wanted }, 'anna');

describe('ApiKeyModule', () => {
  it('guards an application: 401, 403, 200', async () => {
    const service = await start();
    const { secret } = await issue(service);
    const { secret: writer } = await issue(service, { scopes: ['cats:write'] });
    expect(await ask('/cats')).toBe(401);
    expect(await ask('/cats', 'made-up')).toBe(401);
    expect(await ask('/cats', writer)).toBe(403);
    expect(await ask('/cats', secret)).toBe(200);
  });

  it('can be used with @UseGuards', async () => {
    const { imports } = metadata();
    const service = await start(
      Test.createTestingModule({ imports: imports ?? [], controllers: [GuardedController, CatsController] }),
    );
    const { secret } = await issue(service);
    expect(await ask('/guarded')).toBe(401);
    expect(await ask('/guarded', secret)).toBe(403);
    expect(await ask('/cats')).toBe(200);
  });

  it('lets providers be overridden in the usual way', async () => {
    const unavailable: KeyLookup = {
      find: () => Promise.reject(new KeyStoreUnavailableError('The store is unavailable.')),
    };
    const service = await start(
      Test.createTestingModule(metadata()).overrideProvider(KeyLookup).useValue(unavailable),
    );
    const { secret } = await issue(service);
    expect(await ask('/cats', secret)).toBe(503);
    await app?.close();
    await start(
      Test.createTestingModule(metadata())
        .overrideProvider(ApiKeyGuard)
        .useValue({ canActivate: () => true }),
    );
    expect(await ask('/cats')).toBe(200);
  });

  it('charges what the guard refuses to the limiter that is provided beside it', async () => {
    let charged = 0;
    const limiter = {
      charge: () => {
        charged++;
        return Promise.resolve();
      },
      describe: () => Promise.resolve(),
    };
    const { providers = [], ...rest } = metadata();
    await start(
      Test.createTestingModule({
        ...rest,
        providers: [...providers, { provide: AuthFailureLimiter, useValue: limiter }],
      }),
    );
    expect(await ask('/cats')).toBe(401);
    expect(charged).toBe(1);
  });

  it('receives events before it listens', async () => {
    const module = await Test.createTestingModule(metadata()).compile();
    app = module.createNestApplication({ logger: false });
    await app.init();
    expect(bus.calls).toEqual(['subscribe']);
  });

  it('forgets a revoked key when the event arrives', async () => {
    const service = await start();
    const received: ApiKeyEvent[] = [];
    service.get(ApiKeyEventDispatcher).listen((event) => received.push(event));
    const { key, secret } = await issue(service);
    expect(await ask('/cats', secret)).toBe(200);
    expect(await service.get(ApiKeyAdministration).revoke(key.id, 'anna')).toMatchObject({ announced: true });
    expect(await ask('/cats', secret)).toBe(401);
    expect(received.at(-1)).toEqual({ kind: 'changed', keyId: key.id });
  });

  it('writes the use of keys at the end, before the store closes, and closes the bus', async () => {
    const service = await start();
    const { secret } = await issue(service);
    await ask('/cats', secret);
    await ask('/cats', secret);
    const storage = service.get(Storage, { strict: false });
    await service.close();
    expect(storage).toMatchObject({ isClosed: true, usedWhenClosed: 2 });
    expect(bus.calls).toEqual(['subscribe', 'close']);
    app = undefined;
  });

  it('refuses to start when a handler requires a scope that no feature defines', async () => {
    const module = await Test.createTestingModule(metadata({}, [CatsController, DogsController])).compile();
    app = module.createNestApplication({ logger: false });
    await expect(app.init()).rejects.toThrow(
      new UndefinedScopeError(
        'DogsController.list requires the scope dogs:read, which is not among the scopes given to ApiKeyModule: ' +
          'cats:read, cats:write.',
      ),
    );
  });

  it('refuses to start with a pepper that can be guessed', async () => {
    await expect(Test.createTestingModule(metadata({ pepper: 'short' })).compile()).rejects.toThrow(
      'at least 16 characters',
    );
  });
});
