import { Module } from '@nestjs/common';
import type { Configuration } from '../configuration/configuration.js';
import { CONFIGURATION } from '../configuration/configuration.module.js';
import { ConnectionTable, HttpServerModule, type HttpServerOptions } from '@petstore/http-server';
import { Telemetry } from '@petstore/observability';
import { clientNetwork, TrustedProxies } from '@petstore/rate-limit';
import { LimitsModule } from '../access/limits.module.js';
import { HttpServerPortsModule } from './http-server-ports.module.js';
import { RequestLoadPolicy } from './request-load-policy.js';
import type { Log } from '../logging/log.js';
import { LOG } from '../logging/logging.module.js';
import { ConnectionTelemetry } from '../observability/connection-telemetry.js';
import { RequestRecorder } from './request-recorder.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { API_BASE_URL } from '../operations/api-base-url.js';
import { guideAddress } from '../operations/guide-address.js';
import { OperationRegistry } from '../operations/operation-registry.js';
import { toApiError } from './to-api-error.js';

/** The public listener. */
@Module({
  imports: [
    TelemetryModule,
    HttpServerModule.forRootAsync({
      imports: [LimitsModule, HttpServerPortsModule, TelemetryModule],
      inject: [
        CONFIGURATION,
        LOG,
        TrustedProxies,
        ConnectionTelemetry,
        RequestLoadPolicy,
        RequestRecorder,
        OperationRegistry,
        API_BASE_URL,
      ],
      useFactory: (
        { maxConnections, maxConnectionsPerAddress }: Configuration,
        log: Log,
        proxies: TrustedProxies,
        { dropped }: ConnectionTelemetry,
        loadShedding: RequestLoadPolicy,
        observer: RequestRecorder,
        operations: OperationRegistry,
        baseUrl: string,
      ): HttpServerOptions => ({
        connections: {
          most: maxConnections,
          mostPerAddress: maxConnectionsPerAddress,
          networkOf: (address) =>
            address !== undefined && proxies.include(address) ? undefined : clientNetwork(address),
          dropped,
        },
        errors: { translate: toApiError, log },
        helpOf: (code) => guideAddress(baseUrl, `errors#${code}`),
        loadShedding,
        observer,
        shortenPath: (path) => operations.shortenPath(path),
      }),
    }),
  ],
  exports: [HttpServerModule],
})
export class HttpModule {
  constructor(telemetry: Telemetry, table: ConnectionTable) {
    telemetry.connections.watch(() => table.size);
  }
}
