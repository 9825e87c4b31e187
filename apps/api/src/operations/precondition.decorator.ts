import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError, entityTag, matchesEntityTag, matchesStrongly } from '@petstore/http-server';
import { OPERATION_ERRORS } from './operation.errors.js';

/** What a client asks to be so before its write is carried out. */
export interface Precondition {
  /**
   * @param json current state, as a GET would give it; `undefined` where there is nothing
   * @throws {ApiError} 412 with the current ETag
   */
  readonly requireFor: (json: string | undefined) => void;
}

const NONE: Precondition = { requireFor: () => undefined };

/** What the operation does where there is nothing. */
export interface IfMatchOptions {
  /** It makes it: then `If-None-Match: *` asks that there be nothing (RFC 9110, section 13.1.2). */
  readonly creates: boolean;
}

/**
 * The If-Match header field (RFC 9110, section 13.1.1): a write to another state than the client has read is refused.
 * Without it the write goes ahead.
 *
 * @throws {ApiError} 400 for a field that is neither `*` nor a list of entity tags
 */
export const IfMatch = createParamDecorator(
  (options: IfMatchOptions | undefined, context: ExecutionContext): Precondition => {
    const { headers } = context.switchToHttp().getRequest<Request>();
    const ifMatch = headers['if-match'];
    const ifNoneMatch = options?.creates === true ? headers['if-none-match'] : undefined;
    if (ifMatch === undefined && ifNoneMatch === undefined) return NONE;
    for (const [name, field] of [
      ['If-Match', ifMatch],
      ['If-None-Match', ifNoneMatch],
    ] as const) {
      if (field === undefined || matchesStrongly(field, '""') !== undefined) continue;
      throw new ApiError('invalid_parameter', {
        message: `${name} must be * or a list of at most 64 entity tags, each in quotation marks.`,
      });
    }
    return {
      requireFor: (json) => {
        const tag = json === undefined ? undefined : entityTag(json);
        const isMatched =
          tag !== undefined && ifMatch !== undefined && matchesStrongly(ifMatch, tag) === true;
        const isExcluded = tag !== undefined && matchesEntityTag(ifNoneMatch, tag);
        if ((ifMatch === undefined || isMatched) && !isExcluded) return;
        throw new ApiError(
          OPERATION_ERRORS.precondition_failed,
          tag === undefined ? {} : { headers: { ETag: tag } },
        );
      },
    };
  },
);
