import { Injectable } from '@nestjs/common';
import {
  type ApiKeyHashSource,
  HASH_PREFIX_LENGTH,
  type HashDelta,
  type HashPage,
  KeyStoreUnavailableError,
} from '@petstore/api-key';
import { Database } from '../database/database.js';
import { orUnavailable } from './or-unavailable.js';

/** Most hashes that a response with what was added holds; more are read with all the others. */
const MOST_ADDED = 20_000;

/** The beginnings of all hashes `h.hash` as one text. A row that no hasher made would shift those behind it. */
const PREFIXES = `
  coalesce(string_agg(left(h.hash, ${HASH_PREFIX_LENGTH}), '')
    filter (where length(h.hash) = 43 and octet_length(h.hash) = 43), '') as prefixes`;

/** In the order of the primary key, which alone it reads. */
const PAGE = `
  select max(h.hash) as last, count(*)::int as count, ${PREFIXES}
  from (select hash from api_key_secrets where hash > $1 order by hash limit $2) h`;

const MARK = 'select pg_current_snapshot()::text as mark';

/**
 * What was written by transactions that a snapshot did not see: those that began after it, and those that were
 * running when it was made. The first are bounded from above, because rows of a restored backup carry
 * transaction numbers of another server, which may be greater than any of this one.
 */
const ADDED = `
  select pg_current_snapshot()::text as mark, count(*)::int as count, ${PREFIXES}
  from (
    (select hash from api_key_secrets
     where written_in >= $1::bigint
       and written_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint limit $3)
    union all
    (select hash from api_key_secrets where written_in = any ($2::bigint[]) limit $3)
  ) h`;

interface AddedRow {
  readonly mark: string;
  readonly count: number;
  readonly prefixes: string;
}

interface PageRow {
  readonly last: string | null;
  readonly count: number;
  readonly prefixes: string;
}

/** Reads the hashes of the table `api_key_secrets`. A mark is a snapshot: `xmin:xmax:xip_list`. */
@Injectable()
export class PostgresApiKeyHashSource implements ApiKeyHashSource {
  constructor(private readonly database: Database) {}

  async page(after: string | undefined, most: number): Promise<HashPage> {
    const { last, count, prefixes } = await this.ask<PageRow>(PAGE, [after ?? '', most]);
    return { prefixes, next: count < most || last === null ? undefined : last };
  }

  async since(mark: string | undefined): Promise<HashDelta> {
    if (mark === undefined) {
      const now = await this.ask<Pick<AddedRow, 'mark'>>(MARK, []);
      return { mark: now.mark, prefixes: '', complete: true };
    }
    const { xmax, running } = snapshotOf(mark);
    const added = await this.ask<AddedRow>(ADDED, [xmax, running, MOST_ADDED + 1]);
    // Transaction numbers only grow, but for those of another server.
    const sameServer = BigInt(snapshotOf(added.mark).xmax) >= BigInt(xmax);
    return { mark: added.mark, prefixes: added.prefixes, complete: sameServer && added.count <= MOST_ADDED };
  }

  private async ask<Row>(query: string, parameters: unknown[]): Promise<Row> {
    const [row] = await orUnavailable(this.database, (manager) => manager.query<Row[]>(query, parameters));
    if (row === undefined) throw new KeyStoreUnavailableError('The database gave no response.');
    return row;
  }
}

/** What a snapshot did not see: transactions from `xmax` on, and those that were `running` (PostgreSQL manual, 9.27.9). */
function snapshotOf(mark: string): { readonly xmax: string; readonly running: readonly string[] } {
  const [, xmax = '0', running = ''] = mark.split(':');
  return { xmax, running: running === '' ? [] : running.split(',') };
}
