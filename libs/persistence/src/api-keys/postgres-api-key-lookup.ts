import { Injectable } from '@nestjs/common';
import { type FoundKey, type KeyHash, KeyId, type KeyLookup } from '@petstore/api-key';
import { Database } from '../database/database.js';
import type { Statement } from '../fast-lane/statement.js';
import { type ApiKeyRow, toPlan, toScopes } from './api-key.row.js';
import { orUnavailable } from './or-unavailable.js';

/** One look-up in the primary key of the secrets, then one in that of the keys; a JSON object for each row. */
export const FIND_KEY: Statement = {
  name: 'api_keys_find',
  text: `
    select json_build_object(
      'id', k.id, 'name', k.name, 'plan', k.plan, 'perMinute', k.per_minute, 'perDay', k.per_day,
      'scopes', k.scopes, 'usableUntil', least(k.expires_at, s.valid_until))
    from api_key_secrets s join api_keys k on k.id = s.key_id
    where s.hash = $1 and k.revoked_at is null
      and coalesce(least(k.expires_at, s.valid_until) > now(), true)`,
};

interface FoundRow extends Pick<ApiKeyRow, 'id' | 'name' | 'plan' | 'perMinute' | 'perDay' | 'scopes'> {
  readonly usableUntil: string | null;
}

/** Keys for the guard, from PostgreSQL. Unknown, revoked and expired ones are the same: no row. */
@Injectable()
export class PostgresApiKeyLookup implements KeyLookup {
  constructor(private readonly database: Database) {}

  async find(hash: KeyHash): Promise<FoundKey | undefined> {
    const { database } = this;
    const [row] = await orUnavailable(database, () => database.keys.query(FIND_KEY, [hash]));
    return row && toFoundKey(JSON.parse(row[0] ?? '') as FoundRow);
  }
}

function toFoundKey({ id, name, scopes, usableUntil, ...row }: FoundRow): FoundKey {
  const keyId = KeyId.parse(id);
  if (keyId === undefined) throw new Error(`Row ${id} of the table api_keys is no key.`);
  const { name: plan, limits } = toPlan(row);
  return {
    caller: { keyId, name, plan, limits, scopes: new Set(toScopes(scopes)) },
    usableUntil: usableUntil === null ? undefined : new Date(usableUntil),
  };
}
