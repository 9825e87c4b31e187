import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '@petstore/http-kernel';
import type { Parameter } from '../operations/operation.js';

/** Longest key; all of it visible ASCII (RFC 5234, VCHAR). */
const FORM = /^[\x21-\x7E]{1,255}$/;

/** What the document says of the header field. No example: docs pages and generators would send it as it is, twice. */
export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  description:
    'A value that the client chooses for this request, 1 to 255 visible ASCII characters, and repeats when it sends the request again.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

/**
 * What a client calls its wish to add an animal, so that it may ask again without harm
 * (draft-ietf-httpapi-idempotency-key-header); `undefined` when it does not say.
 */
export const IdempotencyKey = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | undefined => {
    // Node joins repeated fields with ", ", which is no key.
    const key = context.switchToHttp().getRequest<Request>().headers['idempotency-key'];
    if (key === undefined || (typeof key === 'string' && FORM.test(key))) return key;
    throw new ApiError('invalid_parameter', {
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters, given once.',
    });
  },
);
