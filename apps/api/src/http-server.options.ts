import type { Configuration } from '@petstore/configuration';
import type { HttpServerOptions, LoadSheddingPolicy, RequestObserver } from '@petstore/http-server';
import type { Telemetry } from '@petstore/observability';
import { clientNetwork, TrustedProxies } from '@petstore/rate-limit';
import type { Log } from './logging/log.js';
import { ConnectionTelemetry } from './observability/connection-telemetry.js';
import type { OperationRegistry } from './operations/operation-registry.js';
import { toApiError } from './to-api-error.js';

/** What the options of the HTTP server are made of. */
export interface HttpServerParts {
  readonly configuration: Configuration;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly registry: OperationRegistry;
  readonly loadShedding: LoadSheddingPolicy;
  readonly observer: RequestObserver;
}

/** What the service supplies to the HTTP server. */
export function httpServerOptions(parts: HttpServerParts): HttpServerOptions {
  const { configuration, log, telemetry, registry, loadShedding, observer } = parts;
  const proxies = new TrustedProxies(configuration.trustedProxies ?? []);
  return {
    connections: {
      most: configuration.maxConnections,
      mostPerAddress: configuration.maxConnectionsPerAddress,
      networkOf: (address) =>
        address !== undefined && proxies.include(address) ? undefined : clientNetwork(address),
      dropped: new ConnectionTelemetry(log, telemetry.connections).dropped,
    },
    errors: { translate: toApiError, log },
    loadShedding,
    observer,
    shortenPath: (path) => registry.shortenPath(path),
  };
}
