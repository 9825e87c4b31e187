import { Injectable } from '@nestjs/common';
import { sqlStateOf } from '../unit-of-work/transaction-conflict.js';
import type { Transaction } from '../unit-of-work/transaction.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import {
  type IdempotentRequest,
  type IdempotentResult,
  keptToken,
  REMEMBERED_FOR_MS,
  requestFingerprint,
  type StoredResponse,
} from './idempotent-request.js';

/**
 * Claims the token, unless a request of the last 24 hours has it. A transaction that has claimed it and has not ended
 * keeps others waiting here: the primary key is the lock.
 */
const CLAIM = `
  insert into idempotent_requests as kept (caller, token, operation, fingerprint) values ($1, $2, $3, $4)
  on conflict (caller, token) do update
    set operation = excluded.operation, fingerprint = excluded.fingerprint, created_at = now()
    where kept.created_at <= now() - $5 * interval '1 millisecond'
  returning 1 as claimed`;
const FIND = `
  select operation, fingerprint, status, location, etag, body from idempotent_requests where caller = $1 and token = $2`;
const KEEP = `
  update idempotent_requests set status = $3, location = $4, etag = $5, body = $6 where caller = $1 and token = $2`;

/** SQLSTATE of a lock that was not given in time. */
const LOCK_NOT_AVAILABLE = '55P03';

interface KeptRow {
  readonly operation: string;
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly location: string | null;
  readonly etag: string | null;
  readonly body: string | null;
}

/** Another instance has claimed the token and not committed yet. */
class ClaimedElsewhereError extends Error {}

/** Requests with an `Idempotency-Key`, which are carried out once. */
@Injectable()
export class IdempotencyStore {
  /** Caller and token of the requests that this process carries out now. */
  private readonly inProgress = new Set<string>();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Executes a request unless that has been done. What `work` changes and its response are stored together or not at
   * all; if it rejects, neither is, and its error passes unchanged.
   *
   * @param work may be called more than once, see {@link UnitOfWork.run}
   * @throws {StoreUnavailableError} see {@link UnitOfWork.run}; sent again, the request is carried out or replayed
   */
  async run(
    request: IdempotentRequest,
    work: (tx: Transaction) => Promise<StoredResponse>,
  ): Promise<IdempotentResult> {
    const name = JSON.stringify([request.caller, request.token]);
    if (this.inProgress.has(name)) return { kind: 'in_progress' };
    this.inProgress.add(name);
    try {
      return await this.unitOfWork.run((tx) => this.once(tx, request, work));
    } catch (error) {
      if (error instanceof ClaimedElsewhereError) return { kind: 'in_progress' };
      throw error;
    } finally {
      this.inProgress.delete(name);
    }
  }

  private async once(
    tx: Transaction,
    request: IdempotentRequest,
    work: (tx: Transaction) => Promise<StoredResponse>,
  ): Promise<IdempotentResult> {
    const { manager } = tx;
    const { operation } = request;
    const id = [request.caller, keptToken(request.token)];
    const fingerprint = requestFingerprint(request.input);
    const claimed = await manager
      .query<unknown[]>(CLAIM, [...id, operation, fingerprint, REMEMBERED_FOR_MS])
      .catch(failOnClaim);
    if (claimed.length === 0) {
      const [kept] = await manager.query<[KeptRow]>(FIND, id);
      const isSame = kept.operation === operation && kept.fingerprint.equals(fingerprint);
      return isSame ? { kind: 'replayed', response: toResponse(kept) } : { kind: 'reused' };
    }
    const response = await work(tx);
    const { status, location = null, etag = null, body = null } = response;
    await manager.query(KEEP, [...id, status, location, etag, body]);
    return { kind: 'carried_out', response };
  }
}

/** @throws {ClaimedElsewhereError} when another transaction, and not a lock on the table, kept the claim waiting */
function failOnClaim(error: unknown): never {
  const { driverError } = error as { readonly driverError?: { readonly where?: string } };
  // PostgreSQL says where it waited for a transaction: while it inserted a tuple of the index.
  const waitedForTransaction = sqlStateOf(error) === LOCK_NOT_AVAILABLE && driverError?.where !== undefined;
  throw waitedForTransaction ? new ClaimedElsewhereError() : error;
}

function toResponse({ status, location, etag, body }: KeptRow): StoredResponse {
  return { status, location: location ?? undefined, etag: etag ?? undefined, body: body ?? undefined };
}
