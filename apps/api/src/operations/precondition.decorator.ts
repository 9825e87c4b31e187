import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { entityTag, isNotModified, requireEntityTags } from '@petstore/http-server';

/** What must be true before a write is carried out. */
export interface Precondition {
  /**
   * @param json current state, as a GET would give it; `undefined` where there is nothing
   * @throws {ApiError} 412 with the current ETag
   */
  readonly requireFor: (json: string | undefined) => void;
}

/**
 * What If-Match and If-None-Match say of the state that a write finds (RFC 9110, section 13.1); without them it goes
 * ahead.
 *
 * @throws {ApiError} 400 for a field that is neither `*` nor a list of entity tags
 */
export const WritePrecondition = createParamDecorator(
  (_data: undefined, context: ExecutionContext): Precondition => {
    const request = context.switchToHttp().getRequest<Request>();
    requireEntityTags(request);
    return { requireFor: (json) => void isNotModified(request, json && entityTag(json)) };
  },
);
