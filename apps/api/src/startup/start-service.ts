import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Configuration } from '../configuration/configuration.js';
import { ManagementServer } from '@petstore/observability';
import { type Log, NestLog } from '../logging/log.js';
import { type DatabaseServer, startDatabaseServer } from '../storage/database-server.js';
import { createApp } from './create-app.js';
import { toListenError } from './listen-error.js';
import { seedDemoData } from './seed-demo-data.js';

/** A running service. */
export interface Service {
  /** Origin of the public listener: `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Origin of the management listener; `undefined` without one. */
  readonly management: string | undefined;
  /** The demo key if this start created it, `undefined` otherwise: only its hash is kept. */
  readonly demoKey: string | undefined;
  /** Whether it is for trying: on its own database server, and not production. */
  readonly isDemo: boolean;
  /** Resolves when the service's own database server has ended, with what it wrote last; `undefined` without one. */
  readonly databaseEnded: Promise<string> | undefined;
  /** Finishes running requests, writes what is still buffered, and closes everything. */
  close(): Promise<void>;
}

/** Parts of a service that its starter supplies in place of the default. */
export interface ServiceOverrides {
  /** Milliseconds since 1970; the system clock by default. */
  readonly now?: (() => number) | undefined;
  /** The database server, which the service stops when it closes; by default the one of the configuration. */
  readonly server?: DatabaseServer;
}

/** Starts the service. What was started is stopped again when a later part fails. */
export async function startService(
  configuration: Configuration,
  log: Log,
  overrides: ServiceOverrides = {},
): Promise<Service> {
  const { now, server = await startDatabaseServer(configuration, log) } = overrides;
  let app: NestExpressApplication | undefined;
  const close = async (): Promise<void> => {
    try {
      await app?.close();
    } finally {
      await server.stop();
    }
  };
  try {
    app = await createApp({ configuration, log, server, now });
    await app.listen(configuration.port, configuration.host).catch((error: unknown) => {
      throw toListenError('', configuration, error);
    });
    app.useLogger(new NestLog(log));
    const isDemo = server.embedded && configuration.environment !== 'production';
    return {
      origin: originOf(app),
      management: app.get(ManagementServer).origin,
      demoKey: isDemo ? await seedDemoData(app) : undefined,
      isDemo,
      databaseEnded: server.ended,
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
