import { ConfigurableModuleBuilder, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { installInterceptorFastPath } from './adapter/interceptor-fast-path.js';
import { StrictExpressAdapter } from './adapter/strict-express.adapter.js';
import { ConnectionTable } from './connections/connection-table.js';
import { EdgeMiddleware } from './edge/edge.middleware.js';
import { ErrorFilter } from './edge/error.filter.js';
import { LoadShedder } from './load-shedding/load-shedder.js';
import { HTTP_SERVER_OPTIONS, type HttpServerOptions } from './options/http-server.options.js';
import { GracefulShutdown } from './shutdown/graceful-shutdown.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<HttpServerOptions>({
  optionsInjectionToken: HTTP_SERVER_OPTIONS,
})
  .setClassMethodName('forRoot')
  .build();

/**
 * Serves HTTP: connections, the steps before the route, errors, load shedding and graceful shutdown. The application is
 * created with a {@link StrictExpressAdapter}. It registers {@link EdgeMiddleware} as middleware, {@link LoadShedder}
 * as a global guard behind the one that accepts keys, `TargetInterceptor` as a global interceptor behind the limit, and
 * `DtoPipe` as a global pipe.
 */
@Module({
  providers: [
    ConnectionTable,
    GracefulShutdown,
    LoadShedder,
    EdgeMiddleware,
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
  exports: [ConnectionTable, GracefulShutdown, LoadShedder, EdgeMiddleware],
})
export class HttpServerModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(ConnectionTable) private readonly connections: ConnectionTable,
    @Inject(EdgeMiddleware) private readonly edge: EdgeMiddleware,
  ) {
    super();
    // Before Nest makes the handlers of routes.
    installInterceptorFastPath();
  }

  /** @throws Error when the application has another adapter */
  onModuleInit(): void {
    const adapter: unknown = this.host.httpAdapter;
    if (!(adapter instanceof StrictExpressAdapter))
      throw new Error('HttpServerModule needs an application that is created with StrictExpressAdapter.');
    this.connections.watch(adapter.getHttpServer(), this.edge);
  }
}
