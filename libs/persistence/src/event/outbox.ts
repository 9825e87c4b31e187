import type { EventResource } from '@petstore/event-feed';
import type { Statement } from '../pipeline/statement.js';
import { bound } from '../unit-of-work/postgres-transaction.js';
import type { BoundStatement } from '../unit-of-work/statement-batch.js';

/** What the events of a statement are made of. */
export interface EventSource {
  readonly type: string;
  readonly resource: EventResource;
  /** SQL of its data, of columns of `source` and parameters. */
  readonly data: string;
  /** SQL of the only reader beside those who see everything; all when left out. */
  readonly audience?: string;
  /** A part of the same statement that gives a row for each change, after its row lock. */
  readonly source: string;
}

/**
 * The part of a statement that writes events down, in the same transaction as the changes, in the order of their
 * sources.
 */
export function writeEvents(...events: readonly EventSource[]): string {
  const rows = events.map(
    ({ type, resource, audience = 'null::text', data, source }) =>
      `select '${type}', '${resource}', ${audience}, ${data} from ${source}`,
  );
  return `insert into outbox (type, resource, audience, data) ${rows.join(' union all ')}`;
}

const WRITE: Statement = {
  name: 'outbox_write',
  text: 'insert into outbox (type, resource, data) values ($1, $2, $3)',
};

/** Writes one event down, in a transaction that has changed what it is about. */
export function writeEvent(resource: EventResource, type: string, data: string): BoundStatement {
  return bound(WRITE, type, resource, data);
}
