import { Injectable } from '@nestjs/common';
import { ApiKeyRefusedError } from '@petstore/api-key';
import { ApiError, definitionOfRefusal, type ErrorMapper, isStoreUnavailable } from '@petstore/http-server';
import { RequestInProgressError, TokenReusedError } from '@petstore/persistence';
import { RateLimitExceededError } from '@petstore/rate-limit';
import { WebhookRefusedError } from '@petstore/webhook';
import { API_KEY_ERRORS, RATE_LIMIT_ERRORS } from '../access/access.errors.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import { WEBHOOK_ERRORS } from '../webhooks/webhook.errors.js';

/** Seconds after which a client may try again what is unavailable, or in progress, now. */
const SOON = '1';

/** Made once, because floods are refused with them: those of a limit, and those of keys by their challenge. */
const LIMIT_REFUSALS = {
  rate_limit_exceeded: new ApiError(RATE_LIMIT_ERRORS.rate_limit_exceeded),
  api_key_temporarily_banned: new ApiError(RATE_LIMIT_ERRORS.api_key_temporarily_banned),
};
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
  if (exception instanceof RateLimitExceededError) return LIMIT_REFUSALS[exception.code];
  if (exception instanceof RequestInProgressError)
    return new ApiError(OPERATION_ERRORS.idempotency_in_progress, { headers: { 'Retry-After': SOON } });
  if (exception instanceof TokenReusedError) return new ApiError(OPERATION_ERRORS.idempotency_key_reused);
  if (exception instanceof WebhookRefusedError) return new ApiError(WEBHOOK_ERRORS[exception.code]);
  const refusal = exception instanceof Error ? definitionOfRefusal(exception) : undefined;
  if (refusal !== undefined) return new ApiError(refusal, { message: (exception as Error).message });
  if (isStoreUnavailable(exception)) {
    return new ApiError('service_unavailable', {
      headers: { 'Retry-After': SOON },
      cause: exception,
    });
  }
  return undefined;
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
