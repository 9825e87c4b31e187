import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, Patch, Post, type Type } from '@nestjs/common';
import { defineErrors, JsonBodyOptions } from '@petstore/http-server';
import { Deprecations } from './deprecations.js';
import { Operation } from './operation.decorator.js';
import { MERGE_PATCH_MEDIA_TYPES, type OperationOptions } from './operation.js';
import { OperationRegistry } from './operation-registry.js';
import { RouteName } from './route-name.decorator.js';

const operation = (given: Partial<OperationOptions>): OperationOptions => ({
  id: 'getThing',
  summary: 'A thing',
  description: 'A thing.',
  scope: 'pets:read',
  success: { status: 200, description: 'The thing.', schema: 'Thing', example: {} },
  ...given,
});
const deprecation = {
  since: new Date('2026-01-01T00:00:00Z'),
  sunset: new Date('2026-11-22T00:00:00Z'),
  successor: { method: 'GET', path: '/things', usage: 'with `ids`' },
} as const;

@JsonBodyOptions({ mediaTypes: MERGE_PATCH_MEDIA_TYPES })
class ThingPatch {}

@Controller('v1/things')
class ThingsController {
  @Get(':thingId')
  @Operation(operation({ deprecation }))
  get(): void {
    // Never called.
  }

  @Get()
  @Operation(operation({ id: 'listThings' }))
  list(): void {
    // Never called.
  }

  @Patch(':thingId')
  @Operation(
    operation({ id: 'patchThing', body: { dto: ThingPatch, description: 'A thing.', examples: {} } }),
  )
  patch(): void {
    // Never called.
  }

  @Delete(':thingId')
  @Operation(operation({ id: 'deleteThing', isGuarded: true }))
  delete(): void {
    // Never called.
  }
}

@Controller()
@RouteName('health')
class HealthController {
  @Get('livez')
  live(): void {
    // Never called.
  }
}

const registryOf = (...controllers: readonly Type[]): OperationRegistry =>
  new OperationRegistry({ getControllers: () => controllers.map((metatype) => ({ metatype })) } as never);
const registry = registryOf(ThingsController, HealthController);

describe('the registry', () => {
  it('knows what pages of other origins use', () => {
    const { methods, requestHeaders, responseHeaders } = registry;
    expect(methods).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH']);
    expect(requestHeaders).toEqual(['If-Match']);
    expect(responseHeaders.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Allow', 'Accept-Patch', 'Deprecation', 'X-RateLimit-Limit', 'Retry-After']),
    );
  });

  it('finds the operation of a request that is not routed', () => {
    expect(registry.match('HEAD', '/v1/things/1?x')?.id).toBe('getThing');
    expect(registry.match('PATCH', '/v1/things/1')?.id).toBe('patchThing');
    for (const [method, target] of [
      ['POST', '/v1/things/1'],
      ['OPTIONS', '/v1/things/1'],
      ['GET', '/v1/things/'],
      ['GET', '/v1/things/1/more'],
    ])
      expect(registry.match(method, target)).toBeUndefined();
  });

  it('says how a path can be used', () => {
    expect(registry.pathHeaders('/v1/things?x')).toEqual({ Allow: 'GET, HEAD, OPTIONS' });
    expect(registry.pathHeaders('/v1/things/1')).toEqual({
      Allow: 'DELETE, GET, HEAD, OPTIONS, PATCH',
      'Accept-Patch': 'application/merge-patch+json, application/json',
    });
    expect(registry.pathHeaders('/v1/others')).toBeUndefined();
  });

  it('leads long paths to short ones of the same operation', () => {
    const long = 'x'.repeat(300);
    expect(registry.shortenPath(`/v1/things/${long}`)).toBe('/v1/things/-');
    expect(registry.shortenPath(`/v1/things/1/${long}`)).toBe('/v1/-');
    // Its target is too long for its query.
    expect(registry.shortenPath('/v1/things')).toBe('/v1/-');
    expect(registry.shortenPath(`/v1${long}`)).toBe('/-/-');
  });

  it('names requests that are routed', () => {
    const nameOf = (method: string, path?: string): string | undefined =>
      registry.nameOf({ method, ...(path && { route: { path } }) } as never);
    expect(nameOf('HEAD', '/v1/things/:thingId')).toBe('getThing');
    expect(nameOf('GET', '/livez')).toBe('health');
    expect(nameOf('OPTIONS', '/v1/{*path}')).toBe('options');
    expect(nameOf('PUT', '/v1/{*path}')).toBe('unmatched');
    expect(nameOf('GET')).toBeUndefined();
  });

  const other = (path: string, given: Partial<OperationOptions> = {}): Type => {
    @Controller(path)
    class OtherController {
      @Post()
      @Operation(operation({ id: 'postOther', ...given }))
      post(): void {
        // Never called.
      }
    }
    return OtherController;
  };
  const { thing_gone: gone } = defineErrors({ thing_gone: { status: 410, message: 'a', when: 'a' } });
  const { thing_gone: gone2 } = defineErrors({ thing_gone: { status: 404, message: 'a', when: 'a' } });

  it.each([
    ['one id', [other('v1/others'), other('v1/else')], 'id postOther'],
    ['one route', [other('v1/others'), other('v1/others', { id: 'postElse' })], 'route POST /others'],
    [
      'one code',
      [other('v1/others', { errors: [gone] }), other('v1/else', { id: 'postElse', errors: [gone2] })],
      'thing_gone is defined twice',
    ],
    ['a path that is not plain', [other('v1/others/{*rest}')], 'not a path of plain segments'],
    ['a path elsewhere', [other('v2/others')], 'not under /v1'],
  ])('refuses operations with %s', (_what, controllers, message) => {
    expect(() => registryOf(...controllers)).toThrow(message);
  });
});

describe('deprecated operations', () => {
  it('are announced before they are routed', () => {
    const deprecations = new Deprecations(registry, {}, '/v1', Date.now);
    const announced = (method: string, url: string): object => {
      const fields: Record<string, unknown> = {};
      const response = { setHeader: (name: string, value: unknown) => (fields[name] = value) };
      deprecations.announceUnrouted({ method, url } as never, response as never);
      return fields;
    };
    expect(announced('HEAD', '/v1/things/1?a=b')).toEqual({
      Deprecation: '@1767225600',
      Sunset: 'Sun, 22 Nov 2026 00:00:00 GMT',
      Link: '</docs/guide/deprecation>; rel="deprecation"; type="text/html", </v1/things>; rel="successor-version"',
    });
    expect(announced('DELETE', '/v1/things/1')).toEqual({});
  });

  it('are refused after the sunset only if the operator wants it', () => {
    const refusal = (now: string, settings = {}): unknown => {
      const deprecations = new Deprecations(registry, settings, '/v1', () => Date.parse(now));
      const handler = registry.match('GET', '/v1/things/1')?.handler ?? {};
      try {
        deprecations.of(handler)?.refuseIfRemoved();
      } catch (error) {
        return (error as Error).message;
      }
      return undefined;
    };
    const removed = { getThing: { afterSunset: 'remove' } };
    expect(refusal('2026-11-21T23:59:59Z', removed)).toBeUndefined();
    expect(refusal('2026-11-22T00:00:00Z')).toBeUndefined();
    expect(refusal('2026-11-22T00:00:00Z', removed)).toBe(
      'This operation has been removed. Use GET /v1/things with ids.',
    );
  });

  it('are refused at the start when a setting is for none', () => {
    expect(() => new Deprecations(registry, { getThings: {} }, '/v1', Date.now)).toThrow('getThings');
  });
});
