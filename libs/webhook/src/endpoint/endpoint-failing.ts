/** For how long every attempt must have failed, in milliseconds, before an endpoint is disabled: five days. */
const FAILING_AFTER_MS = 5 * 24 * 60 * 60 * 1_000;
/** And how many must have: an endpoint that is sent little to is not given up for one bad event. */
const FAILING_ATTEMPTS = 10;

/** What an endpoint has come to since an attempt has last succeeded. */
export interface EndpointFailures {
  /** Since the first failure, in milliseconds. */
  readonly failingForMs: number;
  readonly failedAttempts: number;
}

/** Whether an endpoint is disabled as `failing`. */
export function isGivenUp({ failingForMs, failedAttempts }: EndpointFailures): boolean {
  return failingForMs >= FAILING_AFTER_MS && failedAttempts >= FAILING_ATTEMPTS;
}
