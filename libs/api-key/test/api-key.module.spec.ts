import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { ApiKeyAdministration } from '../src/administration/api-key-administration.js';
import { ApiKeyEventDispatcher, type ReceivedApiKeyEvent } from '../src/events/api-key-event-bus.js';
import { RequiresScope } from '../src/guard/access.decorator.js';
import { ApiKeyGuard } from '../src/guard/api-key.guard.js';
import { attachCaller } from '../src/guard/caller.js';
import { ScopeInterceptor } from '../src/guard/scope.interceptor.js';
import { KeyId } from '../src/key/key-id.js';
import type { Scope } from '../src/scopes/scope-registry.js';
import { bearer, Cats, guarded, LocalBus, scopes, send, start, Storage } from './guarded-app.js';

describe('ApiKeyModule', () => {
  let app: INestApplication | undefined;
  let events: LocalBus;
  beforeEach(() => {
    events = new LocalBus();
  });
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const open = async (from: TestingModuleBuilder): Promise<INestApplication> => (app = await start(from));
  const testing = (): TestingModuleBuilder =>
    Test.createTestingModule(guarded({ controllers: [Cats], events }));
  const get = async (path: string, key?: string): Promise<number> =>
    (await send(app, path, ...(key === undefined ? [] : [bearer(key)]))).status;
  const issue = (service: INestApplication): ReturnType<ApiKeyAdministration['create']> =>
    service.get(ApiKeyAdministration).create({ name: 'shop', plan: 'free' }, 'anna');

  it('can be used with @UseGuards, and without a limiter', async () => {
    @Controller('guarded')
    @UseGuards(ApiKeyGuard)
    @UseInterceptors(ScopeInterceptor)
    class Guarded extends Cats {}
    const { imports = [] } = guarded({ controllers: [] });
    const parts = { imports, controllers: [Guarded, Cats], providers: [ScopeInterceptor] };
    const service = await open(Test.createTestingModule(parts));
    const { secret } = await issue(service);
    expect(await get('/guarded/read')).toBe(401);
    expect(await get('/guarded/read', secret)).toBe(200);
    expect(await get('/guarded/write', secret)).toBe(403);
    expect(await get('/read')).toBe(200);
  });

  it('lets a test replace the guard, and say who calls', async () => {
    const limits = { perMinute: 60, perDay: 1_000 };
    const scopes = new Set(['cats:read' as Scope]);
    const caller = { keyId: KeyId.generate(), name: 'anna', plan: 'free', limits, scopes };
    const canActivate = (context: ExecutionContext): boolean => {
      attachCaller(context.switchToHttp().getRequest(), caller);
      return true;
    };
    const service = await open(testing().overrideProvider(ApiKeyGuard).useValue({ canActivate }));
    expect(await send(service, '/read')).toMatchObject({ status: 200, body: 'anna' });
  });

  it('receives events before it listens, and forgets a revoked key with them', async () => {
    const service = await open(testing());
    expect(events.subscriptions).toBe(1);
    const received: ReceivedApiKeyEvent[] = [];
    service.get(ApiKeyEventDispatcher).listen((event) => received.push(event));
    const { key, secret } = await issue(service);
    expect(await get('/read', secret)).toBe(200);
    expect(await service.get(ApiKeyAdministration).revoke(key.id, 'anna')).toMatchObject({ announced: true });
    expect(await get('/read', secret)).toBe(401);
    expect(received.at(-1)).toEqual({ kind: 'changed', keyId: key.id });
  });

  it('forgets at once a key that this process revokes or rotates, also without a bus', async () => {
    const service = await open(Test.createTestingModule(guarded({ controllers: [Cats] })));
    const administration = service.get(ApiKeyAdministration);
    const [revoked, rotated] = [await issue(service), await issue(service)];
    for (const { secret } of [revoked, rotated]) expect(await get('/read', secret)).toBe(200);
    await administration.revoke(revoked.key.id, 'anna');
    await administration.rotate(rotated.key.id, 0, 'anna');
    for (const { secret } of [revoked, rotated]) expect(await get('/read', secret)).toBe(401);
  });

  it('writes the use of keys at the end, before the store closes', async () => {
    const service = await open(testing());
    const { secret } = await issue(service);
    await get('/read', secret);
    await get('/read', secret);
    const storage = service.get(Storage, { strict: false });
    await service.close();
    expect(storage.usedWhenClosed).toBe(2);
    app = undefined;
  });

  it('refuses to start when a handler requires a scope that no feature defines', async () => {
    @Controller('dogs')
    class Dogs {
      @Get()
      @RequiresScope('dogs:read')
      list(): string {
        return 'Rex';
      }
    }
    await expect(open(Test.createTestingModule(guarded({ controllers: [Cats, Dogs] })))).rejects.toThrow(
      new Error(
        'Dogs.list requires the scope dogs:read, which is not among the scopes given to ApiKeyModule: ' +
          scopes.all.join(', ') +
          '.',
      ),
    );
  });

  it('refuses to start when nothing would require the scopes of handlers', async () => {
    const { imports = [] } = guarded({ controllers: [] });
    const service = open(Test.createTestingModule({ imports, controllers: [Cats] }));
    await expect(service).rejects.toThrow('Cats.read requires a scope: provide ScopeInterceptor.');
  });

  it('refuses to start with a pepper that can be guessed', async () => {
    const short = Test.createTestingModule(guarded({ controllers: [], pepper: 'short' }));
    await expect(short.compile()).rejects.toThrow('at least 16 characters');
  });
});
