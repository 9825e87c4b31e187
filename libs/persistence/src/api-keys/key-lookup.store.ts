import { Injectable } from '@nestjs/common';
import {
  type FoundKey,
  type KeyHash,
  KeyId,
  type KeyLookup,
  KeyOrigins,
  KeyPlan,
  KeyStoreUnavailableError,
} from '@petstore/api-key';
import { Database } from '../database/database.js';
import { isTrue, type Statement } from '../pipelined-pool/statement.js';
import { toScopes } from './api-key.schema.js';
import { orUnavailable } from './or-unavailable.js';

/** One look-up in the primary key of the secrets, then one in that of the keys; a JSON object for each row. */
const FIND_KEY: Statement = {
  name: 'api_keys_find',
  text: `
    select json_build_object(
      'id', k.id, 'name', k.name, 'plan', k.plan, 'perMinute', k.per_minute, 'perDay', k.per_day,
      'scopes', k.scopes, 'origins', k.origins, 'usableUntil', least(k.expires_at, s.valid_until))
    from api_key_secrets s join api_keys k on k.id = s.key_id
    where s.hash = $1 and k.revoked_at is null
      and coalesce(least(k.expires_at, s.valid_until) > now(), true)`,
};

/** As {@link FIND_KEY}, after whether there is a key with this hash, usable or not. */
const FIND_ON_REPLICA: Statement = {
  name: 'api_keys_find_on_replica',
  text: `select exists (select from api_key_secrets where hash = $1), (${FIND_KEY.text})`,
};

/**
 * Largest age of a replica's data for a look-up while the primary may still respond to others, in milliseconds: with
 * the 8 s for which the result is cached, a revoked key is refused within 10 s.
 */
const MAX_AGE_MS = 2_000;

interface FoundRow {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly perMinute: number | null;
  readonly perDay: number | null;
  readonly scopes: readonly string[];
  readonly origins: readonly string[];
  readonly usableUntil: string | null;
}

/**
 * Keys for the guard, from PostgreSQL. Unknown, revoked and expired ones are the same: no row. When the primary does not
 * respond, a replica is queried for a key that may only read.
 */
@Injectable()
export class KeyLookupStore implements KeyLookup {
  constructor(private readonly database: Database) {}

  async find(hash: KeyHash): Promise<FoundKey | undefined> {
    const { database } = this;
    // Known already: the look-up need not wait for the primary.
    if (database.replica?.state === 'standalone')
      return this.findOnReplica(hash, new KeyStoreUnavailableError('The primary does not respond.'));
    try {
      const [row] = await orUnavailable(database, () => database.keys.query(FIND_KEY, [hash]));
      return row && toFoundKey(row[0]);
    } catch (error) {
      if (!(error instanceof KeyStoreUnavailableError)) throw error;
      return this.findOnReplica(hash, error);
    }
  }

  /** Also rejects with `unavailable` for a key that may write, or that the replica does not have. */
  private async findOnReplica(
    hash: KeyHash,
    unavailable: KeyStoreUnavailableError,
  ): Promise<FoundKey | undefined> {
    const { replica, settings } = this.database;
    if (replica === undefined) throw unavailable;
    const [row] = await replica
      .serve((reads, isReplica) => {
        if (!isReplica || (replica.state === 'serving' && replica.ageMs > MAX_AGE_MS)) throw unavailable;
        return reads.queryOnce(FIND_ON_REPLICA, [hash]);
      })
      .catch(() => {
        throw unavailable;
      });
    const [isKey, json = null] = row ?? [];
    if (json === null && isTrue(isKey)) return undefined;
    const found = json === null ? undefined : toFoundKey(json);
    if (found !== undefined && settings.allowStale?.(found) === true) return found;
    throw unavailable;
  }
}

function toFoundKey(json: string | null | undefined): FoundKey {
  const row = JSON.parse(json ?? '') as FoundRow;
  const { id, name, plan, perMinute, perDay, scopes, origins, usableUntil } = row;
  const keyId = KeyId.parse(id);
  if (keyId === undefined) throw new Error(`Row ${id} of the table api_keys is no key.`);
  return {
    keyId,
    name,
    plan: new KeyPlan(plan, perMinute ?? undefined, perDay ?? undefined),
    scopes: new Set(toScopes(scopes)),
    origins: KeyOrigins.ofStored(origins),
    usableUntil: usableUntil === null ? undefined : new Date(usableUntil),
  };
}
