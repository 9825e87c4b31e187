import { readConfiguration } from '@petstore/api';
import { PostgresWebhookMaintenance, UnitOfWork, type WebhookMaintenance } from '@petstore/persistence';
import { Argument, InvalidArgumentError } from 'commander';
import { withDatabase } from '../context/with-database.js';
import type { Terminal } from '../terminal/terminal.js';

/** Opens the database, does the work, and leaves everything as it was found. */
export function withWebhookMaintenance<Result>(
  { environment }: Terminal,
  work: (maintenance: WebhookMaintenance) => Promise<Result>,
): Promise<Result> {
  return withDatabase(readConfiguration(environment), 'petstore webhook', (database) =>
    work(new PostgresWebhookMaintenance(new UnitOfWork(database))),
  );
}

const LARGEST = 9_223_372_036_854_775_807n;

/** The id of a webhook, as an argument; each call makes a new one: commander keeps state in them. */
export const idArgument = (): Argument =>
  new Argument('<id>', 'the webhook, as list shows it').argParser((text) => {
    if (/^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= LARGEST) return text;
    throw new InvalidArgumentError('An id is a whole number; the command list shows them.');
  });
