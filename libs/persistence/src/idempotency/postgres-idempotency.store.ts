import type { Transaction, UnitOfWork } from '@petstore/pet-domain';
import { DatabaseError } from 'pg';
import type { Pipelines } from '../pipeline/pipelines.js';
import { isTrue } from '../unit-of-work/statement-batch.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import type { TextRow } from '../unit-of-work/statement-batch.js';
import {
  type IdempotencyKey,
  type IdempotentRequest,
  type IdempotentResult,
  type StoredAnswer,
} from './idempotent-request.js';
import { FIND, IS_KEPT, LOCK, REMOVE, SAVE } from './idempotency-statements.js';
import { keptToken } from './kept-token.js';
import { requestFingerprint } from './request-fingerprint.js';
import { TruthReader } from './truth.reader.js';

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
    private readonly pipelines: Pipelines,
  ) {}

  /** Whether an answer is kept for this token: what is answered to it does not depend on the work any more. */
  isKept({ caller, token }: IdempotencyKey): Promise<boolean> {
    return this.pipelines.reads.ask(IS_KEPT, [caller, keptToken(token)], new TruthReader());
  }

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
      const [[lock] = [], [found] = []] = await session.ask(
        bound(LOCK, lockName(request)),
        bound(FIND, caller, kept),
      );
      if (found !== undefined && isTrue(found.at(-1))) {
        const earlier = toEarlier(found);
        const same = earlier.operation === operation && earlier.fingerprint.equals(fingerprint);
        return same ? { kind: 'replayed', answer: earlier.answer } : { kind: 'reused' };
      }
      // Behind the look: what has been found is committed, whoever repeats it at the same time.
      if (!isTrue(lock?.[0])) return { kind: 'in_progress' };
      const answer = await work(transaction);
      const { status, location = null, etag = null, body = null } = answer;
      if (found !== undefined) session.defer(bound(REMOVE, caller, kept));
      session.defer(bound(SAVE, caller, kept, operation, fingerprint, String(status), location, etag, body));
      return { kind: 'carried_out', answer };
    });
  }
}

/** Whether a request could not be kept because it is kept already. */
function isKept(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'idempotent_requests_pkey';
}

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
