import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { StrictExpressAdapter } from '@petstore/http-server';
import { AppModule, type AppOptions } from '../app.module.js';
import { createOpenApiDocuments } from '../docs/openapi-document.js';
import { OpenApiText } from '../docs/openapi-text.js';
import { EdgeMiddleware } from '../http/edge.middleware.js';
import { StartLog } from '../logging/log.js';
import { toListenError } from './listen-error.js';

/** The whole HTTP service, ready to listen. */
export async function createApp(options: AppOptions): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(options),
    new StrictExpressAdapter(),
    {
      // Bodies are read after the key and the limit have been checked, not before.
      bodyParser: false,
      // A catch-all route comes after every other, in whatever order the modules are.
      routeResolutionStrategy: 'specificity',
      abortOnError: false,
      logger: new StartLog(options.log),
    },
  );
  try {
    await initialize(app, options);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function initialize(app: NestExpressApplication, { configuration }: AppOptions): Promise<void> {
  const { opsHost: host, opsPort: port } = configuration;
  app.use(app.get(EdgeMiddleware).use);
  // The only listener that this opens is that for operators.
  await app.init().catch((error: unknown) => {
    throw toListenError('OPS_', { host, port }, error);
  });
  app.get(OpenApiText).publish(() => createOpenApiDocuments(app));
}
