import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsString } from 'class-validator';
import { EmptyResponse, HTTP_ERRORS, JsonResponse } from '@petstore/http-kernel';
import {
  EdgeMiddleware,
  HttpServerModule,
  type HttpServerOptions,
  JsonBody,
  StrictExpressAdapter,
} from '@petstore/http-server';
import { ContractController } from '../contract-controller.decorator.js';
import { DeprecationNotices } from '../deprecation-notices.js';
import { ContractOperation } from '../operation.decorator.js';
import type { OperationDeclaration } from '../operation.js';
import { OperationsModule } from '../operations.module.js';

export const MERGE_PATCH = 'application/merge-patch+json';
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T00:00:00Z');

class ThingDto {
  @IsString()
  name!: string;
}

/** A declaration that holds, but for what is given. */
export const operation = (given: Partial<OperationDeclaration>): OperationDeclaration => ({
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

/** An application with operations of every kind, that listens on a free port. */
export async function startThings(): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(RootModule, new StrictExpressAdapter(), {
    bodyParser: false,
    logger: false,
    routeResolutionStrategy: 'specificity',
  });
  app.use(app.get(EdgeMiddleware).use);
  await app.listen(0, '127.0.0.1');
  return app;
}
