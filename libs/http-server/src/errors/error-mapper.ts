import type { ApiError } from './api-error.js';

/** Injection token of an {@link ErrorMapper}. */
export const ERROR_MAPPER = Symbol('ErrorMapper');

/** What the app knows of errors. */
export interface ErrorMapper {
  /** The error for an exception of the app's own layers; `undefined` for one it does not know. */
  readonly toApiError: (exception: unknown) => ApiError | undefined;
  /**
   * Where the docs explain the errors with this code: the target of the link with `rel="help"` (RFC 8288) that every
   * response with an error carries.
   */
  readonly helpOf: (code: string) => string;
}
