import { readFileSync } from 'node:fs';
import type { Configuration } from '@petstore/configuration';
import {
  ConnectionMetrics,
  KeyEventMetrics,
  LimiterMetrics,
  Registry,
  RequestMetrics,
  startTracing,
  type Tracing,
} from '@petstore/observability';

/** Everything that the service is watched with. */
export class Telemetry {
  readonly registry = new Registry();
  readonly requests = new RequestMetrics(this.registry);
  readonly connections = new ConnectionMetrics(this.registry);
  readonly limiter = new LimiterMetrics(this.registry);
  readonly keyEvents = new KeyEventMetrics(this.registry);

  private constructor(readonly tracing: Tracing | undefined) {}

  /** Loads and starts the export of traces only where an endpoint is set. */
  static async start({ traceEndpoint, serviceName }: Configuration): Promise<Telemetry> {
    return new Telemetry(
      traceEndpoint === undefined
        ? undefined
        : await startTracing({ endpoint: traceEndpoint, serviceName, version: VERSION }),
    );
  }

  async close(): Promise<void> {
    await this.tracing?.close();
  }
}

/** Version of the service, for build information. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
