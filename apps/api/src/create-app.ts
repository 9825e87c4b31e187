import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { callerOf } from '@petstore/api-key';
import { requestIdOf } from '@petstore/http-kernel';
import { RequestWatch } from '@petstore/observability';
import { LoadShedder } from './access/load-shedder.js';
import { ApiModule, type ApiParts } from './api.module.js';
import { Docs } from './docs/docs.middleware.js';
import { createOpenApiDocument } from './docs/openapi-document.js';
import { OpenApiText } from './docs/openapi-text.js';
import { makeStringMethodsFast } from './fast-strings.js';
import { edge } from './http/edge.middleware.js';
import { askGatesDirectly } from './http/gates.js';
import { allowCrossOrigin } from './operations/cross-origin.js';
import { MOST_FIELDS_KEPT } from './http/field-count.js';
import { PetStoreExpressAdapter } from './http/petstore-express.adapter.js';
import { NestLog } from './log.js';
import { isOfDocs } from './docs/docs-files.js';
import { HEALTH } from './health/health.controller.js';
import { OperationNames } from './operations/operation-names.js';
import { OperationRegistry } from './operations/operation-registry.js';

/**
 * The whole HTTP service, ready to listen. The program, the end-to-end tests and the writer of the OpenAPI
 * document all use this one.
 */
export async function createApp(parts: ApiParts): Promise<NestExpressApplication> {
  makeStringMethodsFast();
  askGatesDirectly();
  const app = await NestFactory.create<NestExpressApplication>(
    ApiModule.of(parts),
    new PetStoreExpressAdapter(parts.connections),
    // Bodies are read after the key and the limit have been checked, not before.
    {
      bodyParser: false,
      // A catch-all route comes after every other, in whatever order the modules are.
      routeResolutionStrategy: 'specificity',
      abortOnError: false,
      logger: new NestLog(parts.log),
    },
  );
  const { requests, tracing } = parts.telemetry;
  const shedder = app.get(LoadShedder);
  const names = app.get(OperationNames);
  const watch = new RequestWatch({
    describe: (request) => {
      const operation = names.of(request) ?? (isOfDocs(request.url ?? '') ? 'docs' : 'unmatched');
      return {
        operation,
        requestId: requestIdOf(request),
        keyId: callerOf(request)?.keyId,
        // Probes ask every second, and anybody may; readiness is logged when it changes.
        quiet: operation === HEALTH,
      };
    },
    log: parts.log,
    metrics: requests,
    tracing,
  });
  const { corsOrigins, publicBaseUrl } = parts.configuration;
  const server = app.getHttpServer();
  server.maxHeadersCount = MOST_FIELDS_KEPT;
  server.on('clientError', () => {
    requests.refusedByParser();
  });
  // First, so that what the edge refuses can be read by a page, too.
  if (corsOrigins !== undefined) allowCrossOrigin(app, corsOrigins, app.get(OperationRegistry));
  app.use(edge(watch, parts.stop, shedder));
  app.use(app.get(Docs).serve);
  await app.init();
  app.get(OpenApiText).publish(() => createOpenApiDocument(app, publicBaseUrl));
  return app;
}
