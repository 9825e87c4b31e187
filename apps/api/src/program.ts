import { type Configuration, readConfiguration } from './configuration/configuration.js';
import { startDatabaseServer } from './storage/database-server.js';
import { createLog, type Log } from './logging/log.js';
import { collectOldObjectsLess, connectionsWithin, openFileLimit } from './startup/process-limits.js';
import type { StopSignal, StopSignals } from './startup/stop-signals.js';
import type { Service } from './startup/start-service.js';

/** Longest time from the message of a failure to the end of the process. */
const END_TIMEOUT_MS = 2_000;

/** Reads the configuration, starts the service, and stops it on request, also during the start. */
export async function run(signals: StopSignals): Promise<void> {
  collectOldObjectsLess();
  try {
    await serve(signals);
  } catch (error) {
    fail(error, signals);
  }
}

async function serve(signals: StopSignals): Promise<void> {
  // The only use of the environment.
  // oxlint-disable-next-line node/no-process-env
  const configured = readConfiguration(process.env);
  const log = createLog(configured.logLevel);
  const openFiles = openFileLimit();
  const maxConnections = connectionsWithin(openFiles, configured);
  const configuration = { ...configured, maxConnections };
  if (maxConnections < configured.maxConnections)
    log.warn({ openFiles, maxConnections }, 'limit of open files lowers MAX_CONNECTIONS');
  const service = await start(configuration, log, signals);
  if (service === undefined) return;
  stopOnRequest(signals, service, log);
  endWithDatabase(signals, service, log);
  if (signals.stopRequested.aborted) return;
  log.info({ origin: service.origin, management: service.management }, 'listening');
  if (service.isDemo) {
    // Neither a full disk nor a reader that is gone ends the service.
    process.stdout.on('error', () => undefined).write(startupBanner(service));
  }
}

/**
 * Loads the rest of the program while the database starts: loading takes longer. A database that was started is
 * stopped when the rest cannot be loaded.
 *
 * @returns `undefined` when a stop was requested meanwhile
 */
async function start(
  configuration: Configuration,
  log: Log,
  { stopRequested }: StopSignals,
): Promise<Service | undefined> {
  const [rest, server] = await Promise.allSettled([
    import('./startup/start-service.js'),
    startDatabaseServer(configuration, log),
  ]);
  if (server.status === 'rejected') throw server.reason;
  if (rest.status === 'fulfilled' && !stopRequested.aborted)
    return rest.value.startService(configuration, log, { server: server.value });
  await server.value.stop();
  if (rest.status === 'rejected') throw rest.reason;
  return undefined;
}

function stopOnRequest(signals: StopSignals, service: Service, log: Log): void {
  signals.onStopRequested((signal: StopSignal) => {
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

/** Whoever runs the service starts it again, and its own database server with it. */
function endWithDatabase({ stopRequested }: StopSignals, service: Service, log: Log): void {
  void service.databaseEnded?.then((said) => {
    if (stopRequested.aborted) return;
    log.error({ said }, 'embedded PostgreSQL has ended, and so does the service');
    process.exitCode = 1;
    setTimeout(() => process.exit(), END_TIMEOUT_MS).unref();
    return service.close().catch(() => undefined);
  });
}

/** Errors whose message alone says what to do about them. */
const EXPLAINED = new Set([
  'ConfigurationError',
  'EmbeddedPostgresError',
  'DatabaseStartError',
  'PepperError',
  'ListenError',
]);

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPLAINED.has(error.name)) return error.message;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' && path !== undefined)
    return `This user may not ${syscall} ${path} (EACCES): the project must be readable (chmod -R go+rX, as its owner).`;
  return error.stack ?? error.message;
}

function fail(error: unknown, signals: StopSignals): void {
  // A start that was interrupted by a stop is not a failure.
  process.exitCode = signals.stopRequested.aborted ? 0 : 1;
  // Whatever may still be open: a start that failed ends, also when nobody reads the message.
  process.stderr.write(`${explain(error)}\n`, () => process.exit());
  setTimeout(() => process.exit(), END_TIMEOUT_MS).unref();
}

/** The first steps, for a person who has just run `npm start`. */
function startupBanner({ origin, demoKey }: Service): string {
  const key =
    demoKey === undefined
      ? [
          '  Key    the demo key was shown at the first start; make another one with',
          '           npm run key -- create --name me --plan free',
        ]
      : [
          `  Key    ${demoKey}   (shown only this once)`,
          '',
          '  Try:',
          '',
          `  curl -H "Authorization: Bearer ${demoKey}" "${origin}/v1/pets?limit=3"`,
          '',
          '  For the snippets of the guide:',
          '',
          `  export PETSTORE_URL=${origin}/v1 PETSTORE_KEY=${demoKey}`,
        ];
  return [
    '',
    '  Pet Store Service',
    '',
    `  API    ${origin}/v1`,
    `  Docs   ${origin}/docs`,
    `  Guide  ${origin}/docs/guide`,
    ...key,
    '\n',
  ].join('\n');
}
