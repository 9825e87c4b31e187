import { Inject, Injectable } from '@nestjs/common';
import type { KeyDay, KeyHistory, KeyId, KeyUsageHistory } from '@petstore/api-key';
import { Pipelines } from '../pipeline/pipelines.js';
import { type RawRow, type RowReader, textColumns } from '../pipeline/raw-rows.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { HISTORY } from './key-usage-statements.js';

/** The use of keys, from the table `api_key_usage`. */
@Injectable()
export class PostgresKeyUsageHistory implements KeyUsageHistory {
  private readonly sharedReads = new SingleFlight();

  constructor(@Inject(Pipelines) private readonly pipelines: Pipelines) {}

  of(keyId: KeyId): Promise<KeyHistory> {
    return this.sharedReads.share(keyId, (leaving) =>
      this.pipelines.reads.ask(HISTORY, [keyId], new HistoryReader(), leaving),
    );
  }
}

class HistoryReader implements RowReader<KeyHistory> {
  private expiresAt: string | undefined;
  private readonly days: KeyDay[] = [];

  take(row: RawRow): void {
    const [expiresAt = '', day = '', requests, refused] = textColumns(row, 4);
    if (expiresAt !== '') this.expiresAt = expiresAt;
    // No key makes 2^53 requests in a day.
    if (day !== '') this.days.push({ day, requests: Number(requests), refused: Number(refused) });
  }

  answer(): KeyHistory {
    return { expiresAt: this.expiresAt, days: this.days };
  }
}
