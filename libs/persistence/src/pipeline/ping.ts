import type { RowReader } from './raw-rows.js';
import type { Statement } from './statement.js';

/** Touches no table: every session that works runs it. */
export const PING: Statement = { name: 'ping', text: 'select 1' };

/** Ignores the rows: it is enough that the server responded. */
export class PingReader implements RowReader<undefined> {
  take(): void {
    // Of no interest.
  }

  answer(): undefined {
    return undefined;
  }
}
