import type { ApiError } from '@petstore/http-kernel';

/** Where reasons are logged; pino's loggers are one. */
export interface ErrorLog {
  error(fields: object, message: string): void;
}

/** What the error filter needs of the app. */
export interface ErrorTranslation {
  /** What an exception of the app's own layers is in the contract's terms; `undefined` for one it does not know. */
  readonly translate: (exception: unknown) => ApiError | undefined;
  readonly log: ErrorLog;
}

/** Injection token of {@link ErrorTranslation}. */
export const ERROR_TRANSLATION = Symbol('ErrorTranslation');
