import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { fileURLToPath } from 'node:url';
import express from 'express';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { callerOf } from '@petstore/api-key';
import { requestIdOf } from '@petstore/http-kernel';
import { RequestWatch } from '@petstore/observability';
import { Overload } from './access/overload.js';
import { ApiModule, type ApiParts } from './api.module.js';
import { createOpenApiDocument } from './docs/openapi-document.js';
import { OpenApiText } from './docs/openapi-text.js';
import { makeStringMethodsFast } from './fast-strings.js';
import { entrance } from './http/entrance.middleware.js';
import { askGatesDirectly } from './http/gates.js';
import { allowCrossOrigin } from './http/cross-origin.js';
import { MOST_FIELDS_KEPT } from './http/field-count.js';
import { PetStoreExpressAdapter } from './http/petstore-express.adapter.js';
import { pageSecurityHeaders } from './http/security-headers.js';
import { NestLog } from './log.js';
import { OperationNames } from './observability/operation-names.js';

const DOCS_ASSETS = fileURLToPath(new URL('../assets/docs/', import.meta.url));

/**
 * The whole HTTP service, ready to listen. The program, the end-to-end tests and the writer of the OpenAPI
 * document all use this one.
 */
export async function createApp(parts: ApiParts): Promise<NestExpressApplication> {
  makeStringMethodsFast();
  askGatesDirectly();
  const module = ApiModule.of(parts);
  const app = await NestFactory.create<NestExpressApplication>(
    module,
    new PetStoreExpressAdapter(),
    // Bodies are read after the key and the limit have been checked, not before.
    { bodyParser: false, abortOnError: false, logger: new NestLog(parts.log) },
  );
  const { requests, tracing } = parts.instruments;
  const names = new OperationNames(module.controllers ?? []);
  const watch = new RequestWatch({
    describe: (request) => ({
      operation: names.of(request),
      requestId: requestIdOf(request),
      keyId: callerOf(request)?.keyId,
    }),
    log: parts.log,
    metrics: requests,
    tracing,
  });
  const { corsOrigins, maxConnections, publicBaseUrl } = parts.configuration;
  const server = app.getHttpServer();
  server.maxConnections = maxConnections;
  server.maxHeadersCount = MOST_FIELDS_KEPT;
  server.on('clientError', () => {
    requests.refusedByParser();
  });
  // First, so that what the entrance refuses can be read by a page, too.
  if (corsOrigins !== undefined) allowCrossOrigin(app, corsOrigins);
  app.use(entrance(watch, parts.stop, app.get(Overload)));
  const files = [DOCS_ASSETS, swaggerUiFolder()].map((folder) =>
    express.static(folder, { index: false, redirect: false }),
  );
  app.use('/docs', pageSecurityHeaders, ...files);
  await app.init();
  app.get(OpenApiText).publish(() => createOpenApiDocument(app, publicBaseUrl));
  return app;
}
