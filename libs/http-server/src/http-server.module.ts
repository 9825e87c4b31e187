import { ConfigurableModuleBuilder, Inject, Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { StrictExpressAdapter } from './adapter/strict-express.adapter.js';
import { CONNECTION_LIMITS } from './connections/connection-limits.js';
import { ConnectionTable } from './connections/connection-table.js';
import { EdgeMiddleware } from './edge/edge.middleware.js';
import { ErrorFilter } from './errors/error.filter.js';
import { ERROR_HELP } from './errors/error-help.js';
import { ERROR_TRANSLATION } from './errors/error-translation.js';
import { makeStringMethodsFast } from './fast-paths/fast-strings.js';
import { installInterceptorFastPath } from './fast-paths/interceptor-fast-path.js';
import type { HttpServerOptions } from './http-server.options.js';
import { LOAD_SHEDDING_POLICY } from './load-shedding/load-shedding-policy.js';
import { LoadShedder } from './load-shedding/load-shedder.js';
import { PlaceGuard } from './load-shedding/place.guard.js';
import { RequestPlaces } from './load-shedding/request-places.js';
import { REQUEST_OBSERVER, type RequestObserver } from './request/request-observer.js';
import { SHORTEN_PATH, type ShortenPath, shortenPath } from './request/request-target.js';
import { DEFAULT_SHUTDOWN_TIMES, GracefulShutdown, SHUTDOWN_TIMES } from './shutdown/graceful-shutdown.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<HttpServerOptions>()
  .setClassMethodName('forRoot')
  .build();

/** A part of the options under a token of its own, so that each class gets no more than it needs. */
function part(token: symbol, of: (options: HttpServerOptions) => unknown): Provider {
  return { provide: token, inject: [MODULE_OPTIONS_TOKEN], useFactory: of };
}

/**
 * Serves HTTP: connections, the steps before the route, errors, load shedding and graceful shutdown. The application
 * is created with a {@link StrictExpressAdapter}; it uses {@link EdgeMiddleware} as its first middleware, and puts
 * {@link PlaceGuard} among its global guards where it belongs, behind the one that accepts keys.
 */
@Module({
  providers: [
    part(CONNECTION_LIMITS, ({ connections }) => connections),
    part(LOAD_SHEDDING_POLICY, ({ loadShedding }) => loadShedding),
    part(ERROR_TRANSLATION, ({ errors }) => errors),
    part(ERROR_HELP, ({ helpOf = () => undefined }) => helpOf),
    part(REQUEST_OBSERVER, ({ observer }) => observer),
    part(SHORTEN_PATH, (options) => options.shortenPath ?? shortenPath),
    part(SHUTDOWN_TIMES, ({ shutdown = DEFAULT_SHUTDOWN_TIMES }) => shutdown),
    ConnectionTable,
    GracefulShutdown,
    RequestPlaces,
    LoadShedder,
    PlaceGuard,
    EdgeMiddleware,
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
  // With the policy, PlaceGuard can be made in other modules (`@UseGuards`).
  exports: [LOAD_SHEDDING_POLICY, ConnectionTable, GracefulShutdown, LoadShedder, PlaceGuard, EdgeMiddleware],
})
export class HttpServerModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(ConnectionTable) private readonly connections: ConnectionTable,
    @Inject(REQUEST_OBSERVER) private readonly observer: RequestObserver,
    @Inject(SHORTEN_PATH) private readonly shorten: ShortenPath,
  ) {
    super();
    // Before Nest looks for the interceptors of handlers.
    installInterceptorFastPath();
  }

  /** @throws Error when the application has another adapter */
  onModuleInit(): void {
    const { connections, observer, shorten } = this;
    const adapter: unknown = this.host.httpAdapter;
    if (!(adapter instanceof StrictExpressAdapter))
      throw new Error('HttpServerModule needs an application that is created with StrictExpressAdapter.');
    adapter.attach({ connections, observer, shorten });
    makeStringMethodsFast();
  }
}
