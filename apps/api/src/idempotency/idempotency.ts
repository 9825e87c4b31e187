import { Injectable } from '@nestjs/common';
import { ApiError, type JsonResponse } from '@petstore/http-kernel';
import {
  IdempotencyStore,
  type IdempotentRequest,
  type Transaction,
  UnitOfWork,
} from '@petstore/persistence';
import { IDEMPOTENCY_ERRORS } from './idempotency.errors.js';
import { replayOf, toStoredAnswer } from './replayable-answer.js';

/** Seconds after which a client may send a request again whose twin is being worked on. */
const IN_PROGRESS_RETRY_AFTER = '1';

/** Whose request it is and, if the client has given one, its `Idempotency-Key`. */
export interface RepeatableRequest {
  /** Id of the key. */
  readonly caller: string;
  readonly token: string | undefined;
  /** Id of the API operation. */
  readonly operation: string;
}

/** Answers requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class Idempotency {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The response of `work`, which runs in one transaction; the first response again, with `Idempotent-Replayed: true`,
   * when a request with this token was carried out in the last 24 hours. An error of `work` is not remembered.
   *
   * @param request its `input` decides whether it is the same request; without a token it is always carried out
   * @param work may be called more than once, see {@link UnitOfWork.run}
   * @throws {ApiError} 409 while the request is being carried out, 422 when the token was used for another operation
   * or input; what `work` throws
   */
  async run(
    request: RepeatableRequest & Pick<IdempotentRequest, 'input'>,
    work: (tx: Transaction) => Promise<JsonResponse>,
  ): Promise<JsonResponse> {
    const { token } = request;
    if (token === undefined) return this.unitOfWork.run(work);
    let first: JsonResponse | undefined;
    const result = await this.store.run({ ...request, token }, async (tx) => {
      first = await work(tx);
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
