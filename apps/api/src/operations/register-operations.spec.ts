import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, Patch, Post, type Type } from '@nestjs/common';
import { defineErrors, JsonBodyOptions } from '@petstore/http-server';
import { Deprecations } from './deprecations.js';
import { Links } from './links.js';
import { Operation } from './declare-operation.js';
import { MERGE_PATCH_MEDIA_TYPES, type OperationOptions } from './operation.js';
import { OperationRegistry } from './register-operations.js';

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

const registryOf = (...controllers: readonly Type[]): OperationRegistry =>
  new OperationRegistry({ getControllers: () => controllers.map((metatype) => ({ metatype })) } as never);
const registry = registryOf(ThingsController);
const links = new Links('/v1');

// What else the registry says of operations is seen over HTTP.
describe('the registry', () => {
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
  const nested = registryOf(other('v1/things/:thingId/parts/:partId'));

  it('leads long paths to short ones of the same operation', () => {
    const long = 'x'.repeat(300);
    expect(registry.shortenPath(`/v1/things/${long}`)).toBe('/v1/things/-');
    expect(registry.shortenPath(`/v1/things/1/${long}`)).toBe('/v1/-');
    // What else is in the path keeps its meaning, if it has one.
    expect(nested.shortenPath(`/v1/things/42/parts/${long}`)).toBe('/v1/things/42/parts/-');
    expect(nested.shortenPath(`/v1/things/${long}/parts/7`)).toBe('/v1/things/-/parts/7');
    expect(nested.shortenPath(`/v1/things/%zz/parts/${long}`)).toBe('/v1/things/-/parts/-');
    // Its target is too long for its query.
    expect(registry.shortenPath('/v1/things')).toBe('/v1/-');
    expect(registry.shortenPath(`/v1${long}`)).toBe('/-/-');
  });
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
    const deprecations = new Deprecations(registry, {}, links, Date.now);
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

  it.each([
    ['2026-11-21T23:59:59Z', 'remove', undefined],
    ['2026-11-22T00:00:00Z', 'serve', undefined],
    ['2026-11-22T00:00:00Z', 'remove', 'This operation has been removed. Use GET /v1/things with ids.'],
  ] as const)('at %s, with the setting %s, are refused with: %s', (now, afterSunset, message) => {
    const settings = { getThing: { afterSunset } };
    const deprecations = new Deprecations(registry, settings, links, () => Date.parse(now));
    const { handler = {} } = registry.match('GET', '/v1/things/1') ?? {};
    const refuse = (): void => {
      deprecations.admit({ getHandler: () => handler } as never);
    };
    if (message === undefined) expect(refuse).not.toThrow();
    else expect(refuse).toThrow(message);
  });

  it('are refused at the start when a setting is for none', () => {
    expect(() => new Deprecations(registry, { getThings: {} }, links, Date.now)).toThrow('getThings');
  });
});
