import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { callerOf } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import { IDEMPOTENCY_TOKEN, type IdempotencyKey as RequestName } from '@petstore/persistence';
import { operationOf } from './declare-operation.js';

/** How a client names a request, so that it can send it again without harm, and what the name is scoped to. */
export type IdempotencyKey = RequestName;

/**
 * The `Idempotency-Key` of the request (draft-ietf-httpapi-idempotency-key-header); `undefined` when it has none.
 *
 * @throws {ApiError} `invalid_parameter`
 */
export const IdempotencyKey = createParamDecorator(
  (_data: unknown, context: ExecutionContext): IdempotencyKey | undefined => {
    const request = context.switchToHttp().getRequest<Request>();
    // Node joins repeated fields with ", ", which is no key.
    const token = request.headers['idempotency-key'];
    if (token === undefined) return undefined;
    if (typeof token !== 'string' || !IDEMPOTENCY_TOKEN.isAllowed(token))
      throw new ApiError('invalid_parameter', {
        message: `Idempotency-Key must be ${IDEMPOTENCY_TOKEN.expected}, given once.`,
      });
    const { id: operation = '' } = operationOf(context.getHandler()) ?? {};
    const { keyId: caller = '' } = callerOf(request) ?? {};
    return { caller, token, operation };
  },
);
