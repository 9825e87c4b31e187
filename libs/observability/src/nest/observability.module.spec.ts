import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ManagementServerOptions } from '../management/management-server.js';
import { ManagementServer } from '../management/management-server.js';
import { Telemetry } from '../telemetry.js';
import { ManagementModule } from './management.module.js';
import { ObservabilityModule } from './observability.module.js';

const observability = ObservabilityModule.forRoot({});

@Module({
  imports: [
    observability,
    ManagementModule.forRootAsync({
      imports: [observability],
      inject: [Telemetry],
      useFactory: ({ registry }: Telemetry): ManagementServerOptions => ({
        listen: { host: '127.0.0.1', port: 0 },
        metrics: () => registry.metrics(),
        readiness: () => Promise.resolve({ status: 'ok' }),
      }),
    }),
  ],
})
class App {}

describe('the modules of observability', () => {
  it('show the metrics of the application while it runs, and no longer', async () => {
    const app = await NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
    app.get(Telemetry).requests.begun();
    const { origin = '' } = app.get(ManagementServer);
    const text = await (await fetch(`${origin}/metrics`)).text();
    expect(text).toContain('petstore_http_requests_in_flight 1');
    await app.close();
    await expect(fetch(`${origin}/livez`)).rejects.toThrow();
    expect(app.get(ManagementServer).origin).toBeUndefined();
  });
});
