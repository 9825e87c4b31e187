import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { callerOf } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import { operationOf } from '../operations/operation.decorator.js';

/** Longest key; all of it visible ASCII (RFC 5234, VCHAR). */
const FORM = /^[\x21-\x7E]{1,255}$/;

/** How a client names a request, so that it can send it again without harm, and what the name is scoped to. */
export interface IdempotencyKey {
  /** Id of the API key. */
  readonly caller: string;
  readonly token: string;
  /** Id of the API operation. */
  readonly operation: string;
}

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
    if (typeof token !== 'string' || !FORM.test(token))
      throw new ApiError('invalid_parameter', {
        message: 'Idempotency-Key must be 1 to 255 visible ASCII characters, given once.',
      });
    const { id: operation = '' } = operationOf(context.getHandler()) ?? {};
    const { keyId: caller = '' } = callerOf(request) ?? {};
    return { caller, token, operation };
  },
);
