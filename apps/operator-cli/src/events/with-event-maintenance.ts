import { readConfiguration } from '@petstore/api';
import { type EventMaintenance, PostgresEventMaintenance } from '@petstore/persistence';
import { withDatabase } from '../context/with-database.js';
import type { Terminal } from '../terminal/terminal.js';

/** Opens the database, does the work, and leaves everything as it was found. */
export function withEventMaintenance<Result>(
  { environment }: Terminal,
  work: (maintenance: EventMaintenance) => Promise<Result>,
): Promise<Result> {
  return withDatabase(readConfiguration(environment), 'petstore events', ({ settings }) =>
    work(new PostgresEventMaintenance(settings)),
  );
}
