import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { EdgeMiddleware, StrictExpressAdapter } from '@petstore/http-server';
import { AppModule, type AppOptions } from '../app.module.js';
import { createOpenApiDocuments } from '../docs/openapi-document.js';
import { Docs } from '../docs/docs.middleware.js';
import { OpenApiText } from '../docs/openapi-text.js';
import { StartLog } from '../logging/nest-log.js';
import { allowCrossOrigin } from '../operations/cross-origin.js';
import { OperationRegistry } from '../operations/register-operations.js';
import { CreatedProviders } from './created-providers.js';
import { toListenError } from './listen-error.js';

/**
 * The whole HTTP service, ready to listen. What has been opened is closed again when a later part of it fails.
 */
export async function createApp(options: AppOptions): Promise<NestExpressApplication> {
  const created = new CreatedProviders();
  let app: NestExpressApplication | undefined;
  try {
    app = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot(options),
      new StrictExpressAdapter(),
      {
        // Bodies are read after the key and the limit have been checked, not before.
        bodyParser: false,
        // A catch-all route comes after every other, in whatever order the modules are.
        routeResolutionStrategy: 'specificity',
        abortOnError: false,
        logger: new StartLog(options.log),
        instrument: { instanceDecorator: created.note },
      },
    );
    await initialize(app, options);
    return app;
  } catch (error) {
    // Nothing else closes what an application opened that could not even be created.
    await (app === undefined ? created.close() : app.close());
    throw error;
  }
}

async function initialize(app: NestExpressApplication, { configuration }: AppOptions): Promise<void> {
  const { corsOrigins, opsHost: host, opsPort: port } = configuration;
  // Before the edge, so that what the edge refuses can be read by a page, too.
  if (corsOrigins !== undefined) allowCrossOrigin(app, corsOrigins, app.get(OperationRegistry));
  app.use(app.get(EdgeMiddleware).use);
  app.use(app.get(Docs).serve);
  // The only listener that this opens is that for operators.
  await app.init().catch((error: unknown) => {
    throw toListenError('OPS_', { host, port }, error);
  });
  app.get(OpenApiText).publish(() => createOpenApiDocuments(app));
}
