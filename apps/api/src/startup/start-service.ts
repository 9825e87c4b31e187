import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Configuration } from '../configuration/configuration.js';
import { ManagementServer, Telemetry } from '@petstore/observability';
import { Readiness } from '../health/readiness.js';
import type { Log } from '../logging/log.js';
import { NestLog } from '../logging/nest-log.js';
import { startDatabaseServer } from '../storage/database-server.js';
import { createApp } from './create-app.js';
import { toListenError } from './listen-error.js';
import { seedDemoData } from './seed-demo-data.js';
import type { Service, ServiceOverrides } from './service.interface.js';

/** Starts the service. What was started is stopped again when a later part fails. */
export async function startService(
  configuration: Configuration,
  log: Log,
  overrides: ServiceOverrides = {},
): Promise<Service> {
  const { now, management, server = await startDatabaseServer(configuration, log) } = overrides;
  let app: NestExpressApplication | undefined;
  const close = async (): Promise<void> => {
    try {
      await app?.close();
    } finally {
      await server.stop();
    }
  };
  try {
    const opensManagementListener = management === undefined;
    app = await createApp({ configuration, log, server, now, opensManagementListener });
    if (configuration.opsPort !== undefined)
      management?.({ registry: app.get(Telemetry).registry, readiness: app.get(Readiness).check });
    await app.listen(configuration.port, configuration.host).catch((error: unknown) => {
      throw toListenError('', configuration, error);
    });
    app.useLogger(new NestLog(log));
    return {
      origin: originOf(app),
      management: app.get(ManagementServer).origin,
      demoKey: server.embedded ? await seedDemoData(app, log) : undefined,
      embedded: server.embedded,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function originOf(app: NestExpressApplication): string {
  const { address, family, port } = app.getHttpServer().address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
