import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError, entityTag, matchesStrongly } from '@petstore/http-kernel';
import { OPERATION_ERRORS } from './operation.errors.js';

/** What a client asks to be so before its write is carried out. */
export interface Precondition {
  /**
   * @param json current state, as a GET would give it
   * @throws {ApiError} 412 with the current ETag
   */
  readonly requireFor: (json: string) => void;
}

const NONE: Precondition = { requireFor: () => undefined };

/**
 * The If-Match header field (RFC 9110, section 13.1.1): a write to another state than the client has read is refused.
 * Without it the write goes ahead.
 *
 * @throws {ApiError} 400 for a field that is neither `*` nor a list of entity tags
 */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext): Precondition => {
  const field = context.switchToHttp().getRequest<Request>().headers['if-match'];
  if (field === undefined) return NONE;
  if (matchesStrongly(field, '""') === undefined) {
    throw new ApiError('invalid_parameter', {
      message: 'If-Match must be * or a list of at most 64 entity tags, each in quotation marks.',
    });
  }
  return {
    requireFor: (json) => {
      const tag = entityTag(json);
      if (matchesStrongly(field, tag) === true) return;
      throw new ApiError(OPERATION_ERRORS.precondition_failed, { headers: { ETag: tag } });
    },
  };
});
