import { Inject, Injectable } from '@nestjs/common';
import { ApiError, type JsonResponse } from '@petstore/http-kernel';
import { type IdempotencyKey, type IdempotentRequest, PostgresIdempotencyStore } from '@petstore/persistence';
import type { Transaction } from '@petstore/pet-domain';
import { IDEMPOTENCY_ERRORS } from './idempotency.errors.js';
import { replayOf, toStoredAnswer } from './replayable-answer.js';

/** Seconds after which a client may send a request again whose twin is being worked on. */
const IN_PROGRESS_RETRY_AFTER = '1';

/** Answers requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class Idempotency {
  constructor(@Inject(PostgresIdempotencyStore) private readonly store: PostgresIdempotencyStore) {}

  /** Whether a request with this token was answered: {@link run} repeats that answer, or refuses. Costs a look. */
  isAnswered(request: IdempotencyKey): Promise<boolean> {
    return this.store.isKept(request);
  }

  /**
   * The answer of `work`; the first one again, with `Idempotent-Replayed: true`, when the request was carried out in
   * the last 24 hours. An error of `work` is not remembered.
   *
   * @param work makes all of its changes through the transaction; may be called more than once, see `UnitOfWork`
   * @throws {ApiError} 409 while the request is being carried out, 422 when the token was used for another operation
   * or input; what `work` throws
   */
  async run(
    request: IdempotentRequest,
    work: (transaction: Transaction) => Promise<JsonResponse>,
  ): Promise<JsonResponse> {
    let first: JsonResponse | undefined;
    const result = await this.store.run(request, async (transaction) => {
      first = await work(transaction);
      return toStoredAnswer(first);
    });
    switch (result.kind) {
      case 'carried_out':
        return first ?? replayOf(result.answer);
      case 'replayed':
        return replayOf(result.answer);
      case 'in_progress':
        throw new ApiError(IDEMPOTENCY_ERRORS.idempotency_in_progress, {
          headers: { 'Retry-After': IN_PROGRESS_RETRY_AFTER },
        });
      case 'reused':
        throw new ApiError(IDEMPOTENCY_ERRORS.idempotency_key_reused);
    }
  }
}
