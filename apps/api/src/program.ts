import cluster from 'node:cluster';
import { type Configuration, readConfiguration } from '@petstore/configuration';
import { startDatabaseServer } from './startup/database-server.js';
import { createLog, createSharedLog, type Log } from './logging/log.js';
import type { StopSignal, StopSignals } from './startup/stop-signals.js';
import type { Service } from './startup/service.interface.js';
import { startupBanner } from './startup/startup-banner.js';

/** The program: reads the configuration, starts the service, and stops it when asked to, during the start too. */
export async function run(signals: StopSignals): Promise<void> {
  try {
    await serve(signals);
  } catch (error) {
    await fail(error, signals);
  }
}

async function serve(signals: StopSignals): Promise<void> {
  // The one place where the environment enters; libs/configuration reads it.
  // eslint-disable-next-line no-restricted-syntax
  const configuration = readConfiguration(process.env);
  const { logLevel, processes } = configuration;
  const log = processes > 1 ? createSharedLog(logLevel) : createLog(logLevel);
  if (cluster.isWorker) {
    const { startWorker } = await import('./cluster/worker-main.js');
    stopWhenAsked(signals, await startWorker(configuration, log), log);
    return;
  }
  const service = await start(configuration, log);
  stopWhenAsked(signals, service, log);
  if (signals.isAsked) return;
  log.info({ origin: service.origin, management: service.management }, 'listening');
  if (service.embedded) process.stdout.write(startupBanner(service));
}

/** Loading the rest of the program takes longer than starting the database: they go on side by side. */
async function start(configuration: Configuration, log: Log): Promise<Service> {
  const server = startDatabaseServer(configuration, log);
  if (configuration.processes > 1) {
    const [{ startCluster }, database] = await Promise.all([import('./cluster/primary.js'), server]);
    return startCluster(configuration, log, database);
  }
  const [{ startService }, database] = await Promise.all([import('./service.js'), server]);
  return startService(configuration, log, { server: database });
}

function stopWhenAsked(signals: StopSignals, service: Service, log: Log): void {
  signals.whenAsked((signal: StopSignal) => {
    log.info({ signal }, 'shutting down');
    service.close().then(
      () => {
        process.exitCode = 0;
      },
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exitCode = 1;
      },
    );
  });
}

/** Errors whose message says all that the person who started the program needs. */
const EXPLAINED = new Set([
  'ConfigurationError',
  'EmbeddedPostgresError',
  'DatabaseStartError',
  'PepperFileError',
  'WorkerStartError',
]);

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const explained = EXPLAINED.has(error.name) || ('code' in error && error.code === 'EADDRINUSE');
  return explained ? error.message : (error.stack ?? error.message);
}

async function fail(error: unknown, signals: StopSignals): Promise<void> {
  // Why it could not start is of no interest any more when it is to stop.
  process.exitCode = signals.isAsked ? 0 : 1;
  if (cluster.isWorker) {
    const { exitWithFailure } = await import('./cluster/worker-main.js');
    exitWithFailure(explain(error));
  } else process.stderr.write(`${explain(error)}\n`);
}
