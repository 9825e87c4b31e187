import type { ERROR_CODES } from './contract.generated.js';
import type { LimitState } from './limit-state.js';

/** Every code that this version of the client knows. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Whatever keeps a call from its result, except that the caller gave it up. */
export abstract class PetStoreError extends Error {
  constructor(
    message: string,
    /** Name of the operation, such as `createPet`. */
    readonly operation: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service answered with an error of the contract. */
export class ApiError extends PetStoreError {
  constructor(
    /** For programs. A later version of the service may send codes that this client does not know. */
    readonly code: ErrorCode | (string & {}),
    message: string,
    readonly status: number,
    operation: string,
    readonly details: {
      /** Quote it when asking the operators (`X-Request-Id`). */
      readonly requestId: string | undefined;
      /** Seconds to wait before trying again (`Retry-After`). */
      readonly retryAfter: number | undefined;
      readonly limits: LimitState | undefined;
    },
  ) {
    super(message, operation);
  }
}

/** No answer came: the connection failed, or the time was up. Whether the service acted is not known. */
export class NoAnswer extends PetStoreError {
  constructor(
    readonly reason: 'connection' | 'timeout',
    message: string,
    operation: string,
    cause?: unknown,
  ) {
    super(message, operation, { cause });
  }
}

/** An answer came that is not of the contract: something between client and service gave it. */
export class UnexpectedAnswer extends PetStoreError {
  constructor(
    readonly status: number,
    /** Its body, for the log. */
    readonly body: string,
    operation: string,
  ) {
    super(`The answer (status ${status}) is not one that the service gives.`, operation);
  }
}

/** Whether an error is one of the contract, and, if codes are given, has one of them. */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError & { readonly code: Code } {
  if (!(error instanceof ApiError)) return false;
  return codes.length === 0 || (codes as readonly string[]).includes(error.code);
}
