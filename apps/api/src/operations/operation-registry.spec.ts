import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { defineErrors } from '@petstore/http-kernel';
import { ContractController } from './contract-controller.decorator.js';
import { ContractOperation } from './operation.decorator.js';
import type { OperationDeclaration } from './operation.js';
import { OperationNames } from './operation-names.js';
import { OperationRegistry } from './operation-registry.js';
import { operation, startThings } from './testing/things-app.js';

let app: NestExpressApplication;

beforeAll(async () => {
  app = await startThings();
});
afterAll(() => app.close());

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
    // Its target is too long for its query.
    expect(registry.shortenPath('/v1/things')).toBe('/v1/-');
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
