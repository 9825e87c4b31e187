import { type LimitState, readLimitState } from './limit-state.js';

/** What a response says beside its result, for logs. */
export interface ResponseInfo {
  /** Name of the operation, such as `createPet`. */
  readonly operation: string;
  readonly status: number;
  /** Quote it when asking the operators (`X-Request-Id`); `undefined` where something else than the service responded. */
  readonly requestId: string | undefined;
  readonly limits: LimitState | undefined;
}

/** Takes {@link ResponseInfo}. It must not throw: an error of it is the error of the call. */
export type ResponseObserver = (info: ResponseInfo) => void;

/** What the header fields of a response say. */
export function responseInfo(operation: string, status: number, headers: Headers): ResponseInfo {
  return {
    operation,
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    limits: readLimitState(headers),
  };
}
