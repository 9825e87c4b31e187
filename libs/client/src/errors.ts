import type { ERROR_CODES } from './contract.generated.js';
import type { LimitState } from './limit-state.js';

/** Every code that this version of the client knows. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** A call that failed, other than by its own signal. */
export abstract class PetStoreError extends Error {
  constructor(
    message: string,
    /** Name of the operation, such as `createPet`. */
    readonly operation: string,
    // Not `ErrorOptions`, which came with es2022.
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

export interface ApiErrorDetails {
  /** Quote it when asking the operators (`X-Request-Id`). */
  readonly requestId: string | undefined;
  /** Where the docs explain this error: the link with `rel="help"`, as a whole URL. */
  readonly help: string | undefined;
  /** Seconds to wait before trying again (`Retry-After`). */
  readonly retryAfter: number | undefined;
  readonly limits: LimitState | undefined;
  /**
   * Whether an earlier attempt of the same call may have been carried out: its connection broke, it timed out, or a
   * 502, 503 or 504 was returned. The error may then be the consequence of this call's own success.
   */
  readonly isAfterUnknownOutcome: boolean;
}

/** The service returned an error (`docs/contract.md`, "Errors"). */
export class ApiError extends PetStoreError {
  constructor(
    /** For programs. A later version of the service may send codes that this client does not know. */
    readonly code: ErrorCode | (string & {}),
    message: string,
    readonly status: number,
    operation: string,
    readonly details: ApiErrorDetails,
  ) {
    super(message, operation);
  }
}

/** 412 `precondition_failed`: the animal or category is not in the state that the condition names. Nothing was changed. */
export class PreconditionFailedError extends ApiError {
  constructor(
    /** Entity tag of the current state, for the next attempt; `undefined` if the response had none. */
    readonly etag: string | undefined,
    ...error: ConstructorParameters<typeof ApiError>
  ) {
    super(...error);
  }
}

/**
 * 410 `position_gone`: events behind the position are no longer kept, or the position was never given out, as after the
 * restore of a backup. A copy that follows the feed must be made anew (`docs/contract.md`, "Events").
 */
export class PositionGoneError extends ApiError {}

/** No response: the connection failed, or the time was up. Whether the service acted is not known. */
export class NoResponseError extends PetStoreError {
  constructor(
    readonly reason: 'connection' | 'timeout',
    message: string,
    operation: string,
    cause?: unknown,
  ) {
    super(message, operation, { cause });
  }
}

/** A response that the contract does not have, such as an HTML page of a gateway. */
export class UnexpectedResponseError extends PetStoreError {
  constructor(
    message: string,
    readonly status: number,
    /** Its body, for the log. */
    readonly body: string,
    operation: string,
    /** Seconds to wait before trying again (`Retry-After`). */
    readonly retryAfter?: number,
  ) {
    super(message, operation);
  }
}

/** Whether an error is one of the service, and, if codes are given, has one of them. */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError & { readonly code: Code } {
  if (!(error instanceof ApiError)) return false;
  return codes.length === 0 || (codes as readonly string[]).includes(error.code);
}
