import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { callerOf } from '@petstore/api-key';
import { ApiError, entityTag, isNotModified, requireEntityTags } from '@petstore/http-server';
import { IDEMPOTENCY_TOKEN, type IdempotencyKey as RequestName } from '@petstore/persistence';
import { PRECONDITION_SCHEMA, responseSchema } from './members.js';
import { operationOf, type Parameter } from './operation.js';

/**
 * Request header fields of reads, of which nothing is refused: what is no list of tags is ignored. If-Match is honoured, and
 * not documented: hardly any reader sends it, and generated clients would have one more positional argument.
 */
export const READ_PRECONDITIONS: readonly Parameter[] = [
  {
    name: 'If-None-Match',
    description:
      'ETag of the response that the client has; while it is still current, the response is 304 without a body.',
    schema: { type: 'string' },
  },
];

/** Request header fields of writes that are to happen to a known state only. */
export const WRITE_PRECONDITIONS: readonly Parameter[] = [
  {
    name: 'If-Match',
    description:
      'ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412.',
    schema: PRECONDITION_SCHEMA,
  },
  {
    name: 'If-None-Match',
    description:
      'ETag of a state in which nothing is to be changed, or `*` for any: to write only what does not exist. In such a state the response is 412.',
    schema: PRECONDITION_SCHEMA,
  },
];

/** Request header field of creations. No example: docs pages and generators would send it as it is, twice. */
export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  description: `A value that the client chooses for this request, ${IDEMPOTENCY_TOKEN.description}, and repeats when it sends the request again.`,
  schema: responseSchema(IDEMPOTENCY_TOKEN),
};

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
    const field = request.headers['idempotency-key'];
    if (field === undefined) return undefined;
    const token = IDEMPOTENCY_TOKEN.parse(typeof field === 'string' ? unquoted(field) : '');
    if (token === undefined)
      throw new ApiError('invalid_parameter', {
        message: `Idempotency-Key must be ${IDEMPOTENCY_TOKEN.description}, given once.`,
      });
    const { id: operation = '' } = operationOf(context.getHandler()) ?? {};
    const { keyId: caller = '' } = callerOf(request) ?? {};
    return { caller, token, operation };
  },
);

/** A string of structured fields (RFC 9651, section 3.3.3), which the draft wants a key to be; its parameters say nothing of it. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"(?: *;.*)?$/;

/** The characters that a quoted key stands for; any other as it is. */
function unquoted(field: string): string {
  const [, quoted] = QUOTED.exec(field) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? field;
}
