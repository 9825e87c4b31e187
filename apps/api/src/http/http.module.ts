import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ApiKeyGuard, AuthFailureLimiter, IS_OPEN, type IsOpen } from '@petstore/api-key';
import {
  ConnectionTable,
  DtoPipe,
  HttpServerModule,
  type HttpServerOptions,
  LoadShedder,
  TargetInterceptor,
} from '@petstore/http-server';
import { Telemetry } from '@petstore/observability';
import { clientNetwork, TrustedProxies } from '@petstore/rate-limit';
import { RateLimitInterceptor, RequestRateLimiter } from '@petstore/rate-limit/nest';
import { KeysModule, LimitsModule } from '../access/access.module.js';
import { type Log, LOG } from '../logging/log.js';
import { ConnectionTelemetry, TelemetryModule } from '../observability/telemetry.module.js';
import { Deprecations } from '../operations/deprecations.js';
import { Links } from '../operations/links.js';
import { OperationRegistry } from '../operations/register-operations.js';
import { HTTP_SETTINGS, type HttpSettings } from './http.settings.js';
import { Requests } from './requests.js';
import { toApiError } from './to-api-error.js';

/** What API keys begin with: a key that was sent in the wrong field is to stand in no log. */
const LIKE_A_KEY = /pet_(?:live|test)_/i;

/** The public listener, and what happens to every request once it is routed, in this order (docs/architecture.md). */
@Module({
  imports: [
    KeysModule,
    LimitsModule,
    TelemetryModule,
    HttpServerModule.forRootAsync({
      imports: [KeysModule, LimitsModule, TelemetryModule],
      provideInjectionTokensFrom: [Requests],
      inject: [
        HTTP_SETTINGS.KEY,
        LOG,
        TrustedProxies,
        ConnectionTelemetry,
        Requests,
        OperationRegistry,
        Links,
      ],
      useFactory: (
        { maxConnections, maxConnectionsPerAddress }: HttpSettings,
        log: Log,
        proxies: TrustedProxies,
        { dropped }: ConnectionTelemetry,
        requests: Requests,
        operations: OperationRegistry,
        links: Links,
      ): HttpServerOptions => ({
        connections: {
          most: maxConnections,
          mostPerAddress: maxConnectionsPerAddress,
          networkOf: (address) =>
            address !== undefined && proxies.include(address) ? undefined : clientNetwork(address),
          dropped,
        },
        errors: { translate: toApiError, log },
        helpOf: (code) => links.guide(`errors#${code}`),
        requests,
        shortenPath: (path) => operations.shortenPath(path),
        isSecret: (text) => LIKE_A_KEY.test(text),
      }),
    }),
  ],
  providers: [
    { provide: AuthFailureLimiter, useExisting: RequestRateLimiter },
    {
      provide: IS_OPEN,
      inject: [OperationRegistry],
      // OPTIONS on a path of the contract.
      useFactory:
        (operations: OperationRegistry): IsOpen =>
        ({ method, url }) =>
          method === 'OPTIONS' && operations.pathHeaders(url ?? '') !== undefined,
    },
    { provide: APP_GUARD, useExisting: Deprecations },
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useExisting: LoadShedder },
    { provide: APP_INTERCEPTOR, useExisting: RateLimitInterceptor },
    { provide: APP_INTERCEPTOR, useClass: TargetInterceptor },
    { provide: APP_INTERCEPTOR, useExisting: Deprecations },
    { provide: APP_PIPE, useClass: DtoPipe },
  ],
  exports: [HttpServerModule],
})
export class HttpModule {
  constructor(telemetry: Telemetry, table: ConnectionTable) {
    telemetry.connections.watch(table);
  }
}
