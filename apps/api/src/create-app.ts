import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { EdgeMiddleware, LoadShedder, StrictExpressAdapter } from '@petstore/http-server';
import { ApiModule, type ApiParts } from './api.module.js';
import { allowCrossOrigin } from './operations/cross-origin.js';
import { Docs } from './docs/docs.middleware.js';
import { createOpenApiDocument } from './docs/openapi-document.js';
import { OpenApiText } from './docs/openapi-text.js';
import { NestLog } from './logging/nest-log.js';
import { OperationRegistry } from './operations/operation-registry.js';

/**
 * The whole HTTP service, ready to listen. The program, the end-to-end tests and the writer of the OpenAPI
 * document all use this one.
 */
export async function createApp(parts: ApiParts): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    ApiModule.of(parts),
    new StrictExpressAdapter(),
    // Bodies are read after the key and the limit have been checked, not before.
    {
      bodyParser: false,
      // A catch-all route comes after every other, in whatever order the modules are.
      routeResolutionStrategy: 'specificity',
      abortOnError: false,
      logger: new NestLog(parts.log),
    },
  );
  const { corsOrigins, publicBaseUrl } = parts.configuration;
  // First, so that what the edge refuses can be read by a page, too.
  if (corsOrigins !== undefined) allowCrossOrigin(app, corsOrigins, app.get(OperationRegistry));
  app.use(app.get(EdgeMiddleware).use);
  app.use(app.get(Docs).serve);
  await app.init();
  app.get(OpenApiText).publish(() => createOpenApiDocument(app, publicBaseUrl));
  return app;
}
