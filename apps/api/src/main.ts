import { ConfigurationError, readConfiguration } from '@petstore/configuration';
import { EmbeddedPostgresError } from '@petstore/embedded-postgres';
import { UnsuitableDatabase } from '@petstore/persistence';
import { createLog } from './log.js';
import { type Service, startService } from './service.js';

/** The program: reads the configuration, starts the service, and stops it when asked to. */
async function main(): Promise<void> {
  // The one place where the environment enters; libs/configuration reads it.
  // eslint-disable-next-line no-restricted-syntax
  const configuration = readConfiguration(process.env);
  const log = createLog(configuration.logLevel);
  const service = await startService(configuration, log);
  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopping');
    service.close().then(
      () => {
        process.exitCode = 0;
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exitCode = 1;
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  log.info({ origin: service.origin, operations: service.operations }, 'listening');
  if (service.embedded) process.stdout.write(welcome(service));
}

/** What a person who has just typed `npm start` wants to know. */
function welcome({ origin, demoKey }: Service): string {
  const lines = ['', '  Pet Store Service', '', `  API    ${origin}/v1`, `  Docs   ${origin}/docs`];
  if (demoKey === undefined) {
    lines.push(
      '  Key    the demo key was shown at the first start; make another one with',
      '           npm run key -- create --name me --plan free',
    );
  } else {
    lines.push(
      `  Key    ${demoKey}   (shown only this once)`,
      '',
      '  Try:',
      '',
      `  curl -H "Authorization: Bearer ${demoKey}" "${origin}/v1/pets?limit=3"`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

main().catch((error: unknown) => {
  const expected =
    error instanceof ConfigurationError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof UnsuitableDatabase ||
    (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');
  process.stderr.write(
    `${expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
});
