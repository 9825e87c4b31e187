import { Injectable } from '@nestjs/common';
import { ApiKeyRefusedError } from '@petstore/api-key';
import { ApiError, definitionOfRefusal, type ErrorMapper, isStoreUnavailable } from '@petstore/http-server';
import { RequestInProgressError, TokenReusedError } from '@petstore/persistence';
import { RateLimitExceededError } from '@petstore/rate-limit';
import { API_KEY_ERRORS, RATE_LIMIT_ERRORS } from '../access/access.errors.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';

/** Seconds after which a client may try again what is unavailable, or in progress, now. */
const SOON = '1';

/** By their challenge; made once, because floods are refused with them. */
const keyRefusals = new Map<string, ApiError>();

/** The errors of the layers below in the contract's terms, and where the guide explains them. */
@Injectable()
export class PetStoreErrorMapper implements ErrorMapper {
  readonly toApiError = toApiError;

  constructor(private readonly links: LinkBuilder) {}

  readonly helpOf = (code: string): string => this.links.guide(`errors#${code}`);
}

/** `undefined` for what the layers below do not say. */
export function toApiError(exception: unknown): ApiError | undefined {
  if (exception instanceof ApiKeyRefusedError) return keyRefusal(exception);
  if (exception instanceof RateLimitExceededError) return limitRefusal(exception);
  if (exception instanceof RequestInProgressError)
    return new ApiError(OPERATION_ERRORS.idempotency_in_progress, { headers: { 'Retry-After': SOON } });
  if (exception instanceof TokenReusedError) return new ApiError(OPERATION_ERRORS.idempotency_key_reused);
  if (exception instanceof Error) {
    const refusal = definitionOfRefusal(exception);
    const { message } = exception;
    if (refusal !== undefined) return new ApiError(refusal, message === '' ? {} : { message });
  }
  if (isStoreUnavailable(exception)) {
    return new ApiError('service_unavailable', {
      headers: { 'Retry-After': SOON },
      cause: exception,
    });
  }
  return undefined;
}

/** Says for how long, as `Retry-After` does: a model that calls tools sees no header fields. */
function limitRefusal({ code, result: { retryAfterSeconds } }: RateLimitExceededError): ApiError {
  const seconds = `${retryAfterSeconds} s (Retry-After)`;
  const message =
    code === 'rate_limit_exceeded'
      ? `Too many requests. Retry after ${seconds}.`
      : `The API key is banned for ${seconds} because it went on after being refused.`;
  return new ApiError(RATE_LIMIT_ERRORS[code], {
    message,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

function keyRefusal({ code, challenge }: ApiKeyRefusedError): ApiError {
  let refusal = keyRefusals.get(challenge ?? code);
  if (refusal === undefined) {
    refusal = new ApiError(
      API_KEY_ERRORS[code],
      challenge === undefined ? {} : { headers: { 'WWW-Authenticate': challenge } },
    );
    keyRefusals.set(challenge ?? code, refusal);
  }
  return refusal;
}
