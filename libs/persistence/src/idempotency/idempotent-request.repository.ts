import type { EntityManager } from 'typeorm';
import {
  type IdempotencyKey,
  type JsonValue,
  REMEMBERED_FOR_MS,
  RequestInProgressError,
  requestFingerprint,
  type StoredResponse,
  storedToken,
  TokenReusedError,
} from './idempotent-request.js';

/** SQL: a request of the last 24 hours. */
const IS_REMEMBERED = `created_at > now() - interval '1 millisecond' * ${REMEMBERED_FOR_MS}`;

/**
 * Claims the token, unless a request of the last 24 hours has it or another transaction is at work on it: that one has the
 * lock until it ends. The primary key is what lets nothing be carried out twice.
 */
const CLAIM = `
  insert into idempotent_requests as stored (caller, token, operation, fingerprint)
  select $1, $2, $3, $4 where pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))
  on conflict (caller, token) do update
    set operation = excluded.operation, fingerprint = excluded.fingerprint, created_at = now()
    where not stored.${IS_REMEMBERED}
  returning 1 as claimed`;
const FIND = `
  select operation, fingerprint, location, body as json from idempotent_requests
  where caller = $1 and token = $2 and ${IS_REMEMBERED}`;
const STORE = `
  update idempotent_requests set location = $3, body = $4 where caller = $1 and token = $2`;

interface StoredRow extends StoredResponse {
  readonly operation: string;
  readonly fingerprint: Buffer;
}

/** Requests with an `Idempotency-Key` within a transaction. */
export class IdempotentRequestRepository {
  constructor(private readonly manager: EntityManager) {}

  /**
   * Carries out a creation unless that has been done in the last 24 hours: then this is the response of that time. What
   * `work` changes in this transaction and its response are stored together; if it rejects, neither is.
   *
   * @param key without one, the creation is carried out
   * @param input decides whether it is the same request
   * @throws {RequestInProgressError}
   * @throws {TokenReusedError}
   */
  async once(
    key: IdempotencyKey | undefined,
    input: JsonValue,
    work: () => Promise<StoredResponse>,
  ): Promise<StoredResponse & { readonly isReplayed: boolean }> {
    if (key === undefined) return { ...(await work()), isReplayed: false };
    const { caller, token, operation } = key;
    const { manager } = this;
    const id = [caller, storedToken(token)];
    const fingerprint = requestFingerprint(input);
    const claimed = await manager.query<unknown[]>(CLAIM, [...id, operation, fingerprint]);
    if (claimed.length === 0) {
      const [stored] = await manager.query<StoredRow[]>(FIND, id);
      if (stored === undefined) throw new RequestInProgressError('The request is being carried out.');
      const { json, location } = stored;
      if (stored.operation !== operation || !stored.fingerprint.equals(fingerprint))
        throw new TokenReusedError('The token was used for another request.');
      return { json, location, isReplayed: true };
    }
    const response = await work();
    await manager.query(STORE, [...id, response.location, response.json]);
    return { ...response, isReplayed: false };
  }
}
