import { Injectable } from '@nestjs/common';
import { ApiError, entityTag } from '@petstore/http-server';
import {
  IdempotencyStore,
  type IdempotentRequest,
  type Transaction,
  UnitOfWork,
} from '@petstore/persistence';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import type { Created } from '../operations/responses.js';
import type { IdempotencyKey } from './idempotency-key.decorator.js';

/** Seconds after which a client may send a request again whose twin is being worked on. */
const IN_PROGRESS_RETRY_AFTER = '1';

/** Carries out requests with an `Idempotency-Key` once (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class Idempotency {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * What `work` creates, in one transaction; what it created the first time when a request with this key was carried out
   * in the last 24 hours. An error of `work` is not remembered.
   *
   * @param key without one, the request is always carried out
   * @param input decides whether it is the same request
   * @param work may be called more than once, see {@link UnitOfWork.run}
   * @throws {ApiError} 409 while the request is being carried out, 422 when the key was used for another operation or
   * input; what `work` throws
   */
  async run(
    key: IdempotencyKey | undefined,
    input: IdempotentRequest['input'],
    work: (tx: Transaction) => Promise<Created>,
  ): Promise<Created> {
    if (key === undefined) return this.unitOfWork.run(work);
    const result = await this.store.run({ ...key, input }, async (tx) => {
      const { json, location } = await work(tx);
      return { status: 201, location, etag: entityTag(json), body: json };
    });
    switch (result.kind) {
      case 'carried_out':
      case 'replayed': {
        const { body = '', location = '' } = result.response;
        return { json: body, location, isReplayed: result.kind === 'replayed' };
      }
      case 'in_progress':
        throw new ApiError(OPERATION_ERRORS.idempotency_in_progress, {
          headers: { 'Retry-After': IN_PROGRESS_RETRY_AFTER },
        });
      case 'reused':
        throw new ApiError(OPERATION_ERRORS.idempotency_key_reused);
    }
  }
}
