import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, Patch, Post, type Type } from '@nestjs/common';
import { defineErrors, JsonBodyOptions } from '@petstore/http-server';
import { EMPTY } from 'rxjs';
import { Deprecations } from './deprecations.js';
import { LinkBuilder } from './link-builder.js';
import { Operation } from './operation.decorator.js';
import { MERGE_PATCH_MEDIA_TYPES, type OperationOptions } from './operation.js';
import { OperationRegistry } from './operation-registry.js';
import { SunsetInterceptor } from './sunset.interceptor.js';

const operation = (given: Partial<OperationOptions>): OperationOptions => ({
  id: 'getPet',
  summary: 'A thing',
  description: 'A thing.',
  scope: 'pets:read',
  success: { status: 200, description: 'The thing.', schema: 'Thing', example: {} },
  ...given,
});
const deprecation = {
  since: 'getPetDeprecatedSince',
  afterSunset: 'getPetAfterSunset',
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
  @Operation(operation({ id: 'deleteThing', hasPreconditions: true }))
  delete(): void {
    // Never called.
  }
}

const registryOf = (...controllers: readonly Type[]): OperationRegistry =>
  new OperationRegistry({ getControllers: () => controllers.map((metatype) => ({ metatype })) } as never);
const registry = registryOf(ThingsController);

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
  const settings = {
    publicBaseUrl: undefined,
    getPetDeprecatedSince: new Date('2026-01-01T00:00:00Z'),
    getPetAfterSunset: 'serve' as 'serve' | 'remove',
  };

  it.each([
    ['GET', '/v1/things/1', true],
    ['HEAD', '/v1/things/%20?x=/', true],
    ['PATCH', '/v1/things/1', false],
    ['GET', '/v1/things', false],
    ['GET', '/v1/things/1/', false],
    ['GET', '/v1/things/1/more', false],
  ])('are announced, and no other requests: %s %s', (method, url, isAnnounced) => {
    const fields: Record<string, unknown> = {};
    const response = { setHeader: (name: string, value: unknown) => (fields[name] = value) };
    const deprecations = new Deprecations(registry, new LinkBuilder('/v1'), settings);
    deprecations.announce({ method, url } as never, response as never);
    const notice = {
      Deprecation: '@1767225600',
      Sunset: 'Sun, 22 Nov 2026 00:00:00 GMT',
      Link: '</docs/guide/deprecation>; rel="deprecation"; type="text/html", </v1/things>; rel="successor-version"',
    };
    expect(fields).toEqual(isAnnounced ? notice : {});
  });

  it.each([
    ['2026-11-21T23:59:59Z', 'remove', undefined],
    ['2026-11-22T00:00:00Z', 'serve', undefined],
    ['2026-11-22T00:00:00Z', 'remove', 'This operation has been removed. Use GET /v1/things with ids.'],
  ] as const)('at %s, with the setting %s, are refused with: %s', (now, getPetAfterSunset, message) => {
    const interceptor = new SunsetInterceptor(() => Date.parse(now), { ...settings, getPetAfterSunset });
    const context = { getHandler: () => registry.ofRoute('GET', '/v1/things/:thingId')?.handler };
    const run = (): unknown => interceptor.intercept(context as never, { handle: () => EMPTY });
    if (message === undefined) expect(run()).toBe(EMPTY);
    else expect(run).toThrow(message);
  });
});
