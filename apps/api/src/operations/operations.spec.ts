import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsString } from 'class-validator';
import { defineErrors, EmptyResponse, HTTP_ERRORS, JsonResponse } from '@petstore/http-kernel';
import {
  EdgeMiddleware,
  HttpServerModule,
  type HttpServerOptions,
  JsonBody,
  StrictExpressAdapter,
} from '@petstore/http-server';
import { ContractController } from './contract-controller.decorator.js';
import { DeprecationNotices } from './deprecation-notices.js';
import { ContractOperation } from './operation.decorator.js';
import type { OperationDeclaration } from './operation.js';
import { OperationNames } from './operation-names.js';
import { OperationRegistry } from './operation-registry.js';
import { OperationsModule } from './operations.module.js';

const MERGE_PATCH = 'application/merge-patch+json';
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T00:00:00Z');

class ThingDto {
  @IsString()
  name!: string;
}

const operation = (given: Partial<OperationDeclaration>): OperationDeclaration => ({
  id: 'getThing',
  method: 'GET',
  path: '/things/:thingId',
  summary: 'A thing',
  description: 'A thing.',
  scope: 'pets:read',
  success: { status: 200, description: 'The thing.', schema: 'Thing', example: {} },
  errors: [],
  ...given,
});
const replacedOn = (sunset: number): NonNullable<OperationDeclaration['deprecation']> => ({
  since: new Date('2026-01-01T00:00:00Z'),
  sunset: new Date(sunset),
  successor: { method: 'GET', path: '/things', usage: 'with `ids`' },
});

@ContractController({ tag: { name: 'Things', description: 'Things.' } })
class ThingsController {
  @ContractOperation(operation({ deprecation: replacedOn(NOW + DAY_MS) }))
  get(): JsonResponse {
    return JsonResponse.ok('{}');
  }

  @ContractOperation(operation({ id: 'listThings', path: '/things', deprecation: replacedOn(NOW - DAY_MS) }))
  list(): JsonResponse {
    return JsonResponse.ok('[]');
  }

  @ContractOperation(
    operation({
      id: 'updateThing',
      method: 'PATCH',
      body: {
        dto: ThingDto,
        description: 'A thing.',
        examples: {},
        mediaTypes: [MERGE_PATCH, 'application/json'],
      },
      errors: [HTTP_ERRORS.unsupported_media_type],
    }),
  )
  update(@JsonBody(ThingDto) { name }: ThingDto): JsonResponse {
    return JsonResponse.ok(JSON.stringify({ name }));
  }

  @ContractOperation(
    operation({
      id: 'deleteThing',
      method: 'DELETE',
      scope: 'pets:write',
      success: { status: 204, description: 'It is gone.' },
      requestHeaders: [{ name: 'If-Match', description: 'A tag.', schema: { type: 'string' } }],
    }),
  )
  remove(): EmptyResponse {
    return new EmptyResponse();
  }
}

const nothing = (): void => undefined;
const SERVER: HttpServerOptions = {
  connections: { most: 100, mostPerAddress: 100, networkOf: () => undefined, dropped: nothing },
  errors: { translate: () => undefined, log: { error: nothing } },
  loadShedding: {
    maxConcurrentRequests: 100,
    needsPlace: () => false,
    networkOf: () => '',
    keyOf: () => undefined,
    describeRefusal: nothing,
  },
  observer: { begin: nothing, failed: nothing, refusedByParser: nothing },
};

@Module({ controllers: [ThingsController] })
class ThingsModule {}

/** The catch-all controller comes first here: only the strategy keeps it from shadowing the others. */
@Module({
  imports: [
    OperationsModule.forRoot({
      baseUrl: '/v1',
      now: () => NOW,
      settings: {
        getThing: { since: new Date('2026-02-01T00:00:00Z'), afterSunset: 'remove' },
        listThings: { afterSunset: 'remove' },
      },
    }),
    ThingsModule,
    HttpServerModule.forRoot(SERVER),
  ],
  providers: [{ provide: APP_GUARD, useExisting: DeprecationNotices }],
})
class RootModule {}

let app: NestExpressApplication;
let origin: string;

beforeAll(async () => {
  app = await NestFactory.create<NestExpressApplication>(RootModule, new StrictExpressAdapter(), {
    bodyParser: false,
    logger: false,
    routeResolutionStrategy: 'specificity',
  });
  app.use(app.get(EdgeMiddleware).use);
  await app.listen(0, '127.0.0.1');
  origin = await app.getUrl();
});
afterAll(() => app.close());

const send = (method: string, path: string, init: RequestInit = {}): Promise<globalThis.Response> =>
  fetch(`${origin}/v1${path}`, { method, ...init });

describe('a path with operations', () => {
  it.each([
    ['/things/1', 'DELETE, GET, HEAD, OPTIONS, PATCH', `${MERGE_PATCH}, application/json`],
    ['/things', 'GET, HEAD, OPTIONS', null],
  ])('says at %s what it allows, to OPTIONS and with 405', async (path, allow, acceptPatch) => {
    const options = await send('OPTIONS', path);
    const refused = await send('PUT', path);
    expect([options.status, await options.text()]).toEqual([204, '']);
    expect(refused.status).toBe(405);
    expect(await refused.json()).toMatchObject({ code: 'method_not_allowed' });
    for (const { headers } of [options, refused]) {
      expect(headers.get('allow')).toBe(allow);
      expect(headers.get('accept-patch')).toBe(acceptPatch);
    }
  });

  it('is no unknown path, which is 404', async () => {
    const reply = await send('GET', '/things/1/more');
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'route_not_found' }]);
  });
});

describe('an operation without a body in its answer', () => {
  it('answers 204 with no header fields of one', async () => {
    const { status, headers, text } = await send('DELETE', '/things/1').then(async (reply) => ({
      status: reply.status,
      headers: reply.headers,
      text: await reply.text(),
    }));
    expect([status, text]).toEqual([204, '']);
    for (const name of ['content-type', 'content-length', 'etag'])
      expect([name, headers.get(name)]).toEqual([name, null]);
  });
});

describe('an operation that declares media types', () => {
  it.each([MERGE_PATCH, 'application/json', `${MERGE_PATCH}; charset=utf-8`])('reads %s', async (type) => {
    const reply = await send('PATCH', '/things/1', {
      body: '{"name":"a"}',
      headers: { 'Content-Type': type },
    });
    expect([reply.status, await reply.json()]).toEqual([200, { name: 'a' }]);
  });

  it('refuses others, and says which it reads', async () => {
    const reply = await send('PATCH', '/things/1', {
      body: '{}',
      headers: { 'Content-Type': 'application/json-patch+json' },
    });
    expect(reply.status).toBe(415);
    expect(reply.headers.get('accept-patch')).toBe(`${MERGE_PATCH}, application/json`);
    expect(await reply.json()).toMatchObject({ code: 'unsupported_media_type' });
  });
});

describe('deprecated operations', () => {
  it('each announce themselves, with the date that the operator sets', async () => {
    const reply = await send('GET', '/things/1');
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      deprecation: '@1769904000',
      sunset: 'Sun, 22 Nov 2026 00:00:00 GMT',
      link: '</docs>; rel="deprecation"; type="text/html", </v1/things>; rel="successor-version"',
    });
  });

  it('are each gone after their own sunset, and say so to HEAD too', async () => {
    const reply = await send('GET', '/things');
    expect([reply.status, reply.headers.get('deprecation')]).toEqual([410, '@1767225600']);
    expect(await reply.json()).toEqual({
      code: 'operation_removed',
      message: 'This operation has been removed. Use GET /v1/things with ids.',
      status: 410,
    });
    expect((await send('HEAD', '/things')).status).toBe(410);
  });

  it('say nothing of other methods on their path', async () => {
    for (const method of ['DELETE', 'PUT', 'OPTIONS'])
      expect((await send(method, '/things/1')).headers.get('deprecation')).toBeNull();
  });

  it('are recognised before they are routed', () => {
    const announced = (method: string, url: string): boolean => {
      let fields = 0;
      const response = { setHeader: () => fields++ };
      app.get(DeprecationNotices).announceUnrouted({ method, url } as never, response as never);
      return fields > 0;
    };
    expect(announced('GET', '/v1/things/1?a=b')).toBe(true);
    expect(announced('HEAD', '/v1/things')).toBe(true);
    expect(announced('DELETE', '/v1/things/1')).toBe(false);
    expect(announced('GET', '/v1/things/1/more')).toBe(false);
  });

  it('are refused at the start when a setting is for none', () => {
    const options = { baseUrl: '/v1', now: Date.now, settings: { getThings: {} } };
    expect(() => new DeprecationNotices(app.get(OperationRegistry), options)).toThrow('getThings');
  });
});

describe('the registry', () => {
  it('knows what pages of other origins use', () => {
    const { methods, requestHeaders, responseHeaders } = app.get(OperationRegistry);
    expect(methods).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH']);
    expect(requestHeaders).toEqual(['If-Match']);
    expect(responseHeaders.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Allow', 'Accept-Patch', 'Deprecation', 'X-RateLimit-Limit', 'Retry-After']),
    );
  });

  it('finds the operation of a request that is not routed', () => {
    const registry = app.get(OperationRegistry);
    expect(registry.match('HEAD', '/v1/things/1?x')?.id).toBe('getThing');
    expect(registry.match('PATCH', '/v1/things/1')?.id).toBe('updateThing');
    expect(registry.match('POST', '/v1/things/1')).toBeUndefined();
    expect(registry.match('GET', '/v1/things/')).toBeUndefined();
  });

  it('leads long paths to short ones of the same operation', () => {
    const registry = app.get(OperationRegistry);
    const long = 'x'.repeat(300);
    expect(registry.shortenPath(`/v1/things/${long}`)).toBe('/v1/things/-');
    expect(registry.shortenPath(`/v1/things/1/${long}`)).toBe('/v1/-');
    expect(registry.shortenPath(`/v1${long}`)).toBe('/-/-');
  });

  it('names requests that are routed', () => {
    const nameOf = (method: string, path?: string): string | undefined =>
      app.get(OperationNames).of({ method, ...(path && { route: { path } }) } as never);
    expect(nameOf('HEAD', '/v1/things/:thingId')).toBe('getThing');
    expect(nameOf('OPTIONS', '/v1/things')).toBe('options');
    expect(nameOf('PUT', '/v1/things')).toBe('unmatched');
    expect(nameOf('GET')).toBeUndefined();
  });

  const other = (given: Partial<OperationDeclaration>): object => {
    @ContractController({ tag: { name: 'Others', description: 'Others.' } })
    class OtherController {
      @ContractOperation(operation({ id: 'getOther', path: '/others', ...given }))
      get(): void {
        // Never called.
      }
    }
    return OtherController;
  };
  const { thing_gone: gone } = defineErrors({ thing_gone: { status: 410, message: 'a', when: 'a' } });
  const { thing_gone: gone2 } = defineErrors({ thing_gone: { status: 404, message: 'a', when: 'a' } });

  it.each([
    ['one id', [other({}), other({ path: '/else' })], 'id getOther'],
    ['one route', [other({}), other({ id: 'getElse' })], 'route GET /others'],
    ['one path in two controllers', [other({}), other({ id: 'postElse', method: 'POST' })], 'path /others'],
    [
      'one code',
      [other({ errors: [gone] }), other({ id: 'getElse', path: '/else', errors: [gone2] })],
      'thing_gone is defined twice',
    ],
    ['a path that is not plain', [other({ path: '/others/{*rest}' })], 'not a path of plain segments'],
  ])('refuses operations with %s', (_what, controllers, message) => {
    const discovery = { getControllers: () => controllers.map((metatype) => ({ metatype })) };
    expect(() => new OperationRegistry(discovery as never)).toThrow(message);
  });
});
