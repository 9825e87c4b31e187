import 'reflect-metadata';
import type { OnApplicationShutdown } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { StrictExpressAdapter } from '@petstore/http-server';
import { AppModule, type AppOptions } from '../app.module.js';
import { createOpenApiDocuments } from '../docs/openapi-document.js';
import { OpenApiText } from '../docs/openapi-text.js';
import { EdgeMiddleware } from '../http/edge.middleware.js';
import { StartLog } from '../logging/log.js';
import { toListenError } from './listen-error.js';

/** The whole HTTP service, ready to listen. What has been opened is closed again when a later part fails. */
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
    await (app === undefined ? created.close() : app.close());
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

/**
 * The providers of an application that is being created. When a factory fails, Nest returns no application that could
 * close what the others have opened.
 */
export class CreatedProviders {
  private readonly providers: OnApplicationShutdown[] = [];
  private closed = false;

  /** Called by Nest with each provider as soon as it is there; with some of them after another one has failed. */
  readonly note = (provider: unknown): unknown => {
    if (!closesAtShutdown(provider)) return provider;
    if (this.closed) void close(provider);
    else this.providers.push(provider);
    return provider;
  };

  /** Closes all providers, the last one first, and every one that is still to come. Never rejects. */
  async close(): Promise<void> {
    this.closed = true;
    for (const provider of this.providers.reverse()) await close(provider);
  }
}

function closesAtShutdown(provider: unknown): provider is OnApplicationShutdown {
  return (
    typeof provider === 'object' &&
    provider !== null &&
    'onApplicationShutdown' in provider &&
    typeof provider.onApplicationShutdown === 'function'
  );
}

/** Why the application could not be created matters more than what went wrong while closing it. */
async function close(provider: OnApplicationShutdown): Promise<void> {
  try {
    await provider.onApplicationShutdown();
  } catch {
    // See above.
  }
}
