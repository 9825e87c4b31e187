import type { Logger } from 'typeorm';

const nothing = (): void => undefined;

/** TypeORM prints nothing by itself: errors are thrown, and the service has one log. */
export const SILENT: Logger = {
  log: nothing,
  logMigration: nothing,
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
};
