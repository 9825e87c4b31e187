import type { Transaction, UnitOfWork } from '@petstore/pet-domain';
import { DatabaseError } from 'pg';
import type { Statement } from '../pipeline/statement.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import type { TextRow } from '../unit-of-work/statement-batch.js';
import type { AddRequestsBridge } from './add-requests.bridge.js';
import {
  type IdempotencyKey,
  type IdempotentRequest,
  type IdempotentResult,
  REMEMBERED_FOR_MS,
  type StoredAnswer,
} from './idempotent-request.js';
import { keptToken } from './kept-token.js';
import { requestFingerprint } from './request-fingerprint.js';

/**
 * Until the end of the transaction, and only if it is free: whoever does not get it knows that a twin is at work.
 * Two tokens whose hashes are equal only ask each other to wait.
 */
const LOCK: Statement = {
  name: 'idempotency_lock',
  text: `select pg_try_advisory_xact_lock(hashtextextended($1, 0))`,
};

/** A statement of its own behind the lock, so that it sees what a twin has committed by then. */
const FIND: Statement = {
  name: 'idempotent_requests_find',
  text: `select operation, encode(fingerprint, 'hex'), status, location, etag, body,
      created_at > now() - interval '${REMEMBERED_FOR_MS} milliseconds'
    from idempotent_requests where caller = $1 and token = $2`,
};

/** Makes room for a new one where an old one is not removed yet. */
const REMOVE: Statement = {
  name: 'idempotent_requests_remove',
  text: `delete from idempotent_requests where caller = $1 and token = $2
    and created_at <= now() - interval '${REMEMBERED_FOR_MS} milliseconds'`,
};

/** Fails if there is one already. No lock is needed for that: the primary key alone lets nothing happen twice. */
const SAVE: Statement = {
  name: 'idempotent_requests_save',
  text: `insert into idempotent_requests (caller, token, operation, fingerprint, status, location, etag, body)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

const TRUE = 't';

/** A request that was carried out earlier. */
interface Earlier {
  readonly operation: string;
  readonly fingerprint: Buffer;
  readonly answer: StoredAnswer;
}

/**
 * Requests that are carried out once, in PostgreSQL. Three round trips and what the work itself sends: lock and look
 * for it; the work; keep the answer and commit.
 */
export class PostgresIdempotencyStore {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly bridge: AddRequestsBridge,
  ) {}

  /**
   * Carries out a request unless it has been already. What `work` changes and its answer are kept together or not
   * at all; if it rejects, neither is, and its error passes unchanged.
   *
   * @param work may be called more than once, see {@link UnitOfWork}
   * @throws {StoreUnavailableError} see {@link UnitOfWork}; sent again, the request is carried out or replayed
   */
  async run(
    request: IdempotentRequest,
    work: (transaction: Transaction) => Promise<StoredAnswer>,
  ): Promise<IdempotentResult> {
    const fingerprint = requestFingerprint(request.input);
    try {
      return await this.attempt(request, fingerprint, work);
    } catch (error) {
      if (!isKept(error)) throw error;
      // Somebody who had no lock was faster: it is found now.
      return this.attempt(request, fingerprint, work);
    }
  }

  private attempt(
    request: IdempotentRequest,
    fingerprint: Buffer,
    work: (transaction: Transaction) => Promise<StoredAnswer>,
  ): Promise<IdempotentResult> {
    return this.unitOfWork.run(async (transaction): Promise<IdempotentResult> => {
      const session = PostgresTransaction.of(transaction);
      const { caller, token, operation } = request;
      const kept = keptToken(token);
      const [[lock] = [], [found] = [], [bridged] = []] = await session.ask(
        bound(LOCK, lockName(request)),
        bound(FIND, caller, kept),
        this.bridge.find(request),
      );
      const earlier = this.earlierOf(found, bridged);
      if (earlier !== undefined) {
        const same = earlier.operation === operation && earlier.fingerprint.equals(fingerprint);
        return same ? { kind: 'replayed', answer: earlier.answer } : { kind: 'reused' };
      }
      // Behind the look: what has been found is committed, whoever repeats it at the same time.
      if (lock?.[0] !== TRUE) return { kind: 'in_progress' };
      const answer = await work(transaction);
      const { status, location = null, etag = null, body = null } = answer;
      if (found !== undefined) session.defer(bound(REMOVE, caller, kept));
      session.defer(
        bound(SAVE, caller, kept, operation, fingerprint, String(status), location, etag, body),
        this.bridge.save(request, answer),
      );
      return { kind: 'carried_out', answer };
    });
  }

  private earlierOf(found: TextRow | undefined, bridged: TextRow | undefined): Earlier | undefined {
    if (found?.at(-1) === TRUE) return toEarlier(found);
    if (bridged === undefined) return undefined;
    const { operation, input, answer } = this.bridge.read(bridged);
    return { operation, fingerprint: requestFingerprint(input), answer };
  }
}

/** Whether a request could not be kept because it is kept already. */
function isKept(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'idempotent_requests_pkey';
}

/** What earlier versions lock for the same request, too. */
function lockName({ caller, token }: IdempotencyKey): string {
  return JSON.stringify([caller, token]);
}

function toEarlier(row: TextRow): Earlier {
  const [operation = null, fingerprint = null, status, location, etag, body] = row;
  return {
    operation: operation ?? '',
    fingerprint: Buffer.from(fingerprint ?? '', 'hex'),
    answer: {
      status: Number(status),
      location: location ?? undefined,
      etag: etag ?? undefined,
      body: body ?? undefined,
    },
  };
}
