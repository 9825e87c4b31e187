import { type DynamicModule, Inject, Module, type ModuleMetadata, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import type { RequestListener } from 'node:http';
import { REQUEST_OBSERVER, RequestContexts, type RequestObserver } from './context/request-context.js';
import { inOriginForm } from './context/request-form.js';
import { DtoPipe } from './dto/dto.pipe.js';
import { ERROR_MAPPER, ErrorFilter, type ErrorMapper } from './errors/error.filter.js';
import { handleConnections } from './server/connection-events.js';
import { installInterceptorFastPath } from './server/interceptor-fast-path.js';
import { StrictExpressAdapter } from './server/strict-express.adapter.js';
import { GracefulShutdown } from './shutdown/graceful-shutdown.js';

/**
 * Serves HTTP: connections, the context of requests, DTOs, errors and graceful shutdown. The application is created with a
 * {@link StrictExpressAdapter}, and its first middleware calls {@link RequestContexts.begin} and `requireForm`.
 */
@Module({
  providers: [
    GracefulShutdown,
    RequestContexts,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: DtoPipe },
  ],
  exports: [GracefulShutdown, RequestContexts],
})
export class HttpServerModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(REQUEST_OBSERVER) private readonly observer: RequestObserver,
    @Inject(ERROR_MAPPER) private readonly errors: ErrorMapper,
  ) {
    // Before Nest makes the handlers of routes.
    installInterceptorFastPath();
  }

  /**
   * @param parts provide {@link REQUEST_OBSERVER} and {@link ERROR_MAPPER}, and `SHUTDOWN_TIMES` where they are not the usual
   * ones
   */
  static with(parts: Pick<ModuleMetadata, 'imports' | 'providers'>): DynamicModule {
    return { module: HttpServerModule, ...parts };
  }

  /** @throws Error when the application has another adapter */
  onModuleInit(): void {
    const adapter: unknown = this.host.httpAdapter;
    if (!(adapter instanceof StrictExpressAdapter))
      throw new Error('HttpServerModule needs an application that is created with StrictExpressAdapter.');
    const handle = inOriginForm(adapter.getInstance<RequestListener>());
    handleConnections(adapter.getHttpServer(), handle, this.observer, this.errors);
  }
}
