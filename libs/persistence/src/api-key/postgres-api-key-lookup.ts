import { Inject, Injectable } from '@nestjs/common';
import { type FoundKey, type KeyHash, KeyId, type KeyLookup } from '@petstore/api-key';
import { EntityManager } from 'typeorm';
import { orUnavailable } from './or-unavailable.js';
import { type ApiKeyRow, toPlan, toScopes } from './api-key.row.js';

/** One look-up in the primary key of the secrets, then one in that of the keys. */
const FIND = `
  select s.hash, k.id, k.name, k.plan, k.per_minute as "perMinute", k.per_day as "perDay", k.scopes,
         least(k.expires_at, s.valid_until) as "usableUntil"
  from api_key_secrets s join api_keys k on k.id = s.key_id
  where s.hash = any ($1) and k.revoked_at is null
    and coalesce(least(k.expires_at, s.valid_until) > now(), true)
  limit 1`;

const REHASH = 'update api_key_secrets set hash = $2, written_in = default where hash = $1';

interface FoundRow extends Pick<ApiKeyRow, 'id' | 'name' | 'plan' | 'perMinute' | 'perDay' | 'scopes'> {
  readonly hash: KeyHash;
  readonly usableUntil: Date | null;
}

/** Keys for the guard, from PostgreSQL. Unknown, revoked and expired ones are the same: no row. */
@Injectable()
export class PostgresApiKeyLookup implements KeyLookup {
  constructor(@Inject(EntityManager) private readonly manager: EntityManager) {}

  async find(hashes: readonly KeyHash[]): Promise<FoundKey | undefined> {
    const [row] = await orUnavailable(this.manager.query<FoundRow[]>(FIND, [hashes]));
    return row && toFoundKey(row);
  }

  async rehash(from: KeyHash, to: KeyHash): Promise<void> {
    await orUnavailable(this.manager.query(REHASH, [from, to]));
  }
}

function toFoundKey(row: FoundRow): FoundKey {
  const keyId = KeyId.parse(row.id);
  if (keyId === undefined) throw new Error(`Row ${row.id} of the table api_keys is no key.`);
  const { name: plan, limits } = toPlan(row);
  return {
    hash: row.hash,
    caller: { keyId, name: row.name, plan, limits, scopes: new Set(toScopes(row.scopes)) },
    usableUntil: row.usableUntil ?? undefined,
  };
}
