import { waitFor } from '@petstore/testing';

/** As {@link waitFor}, for what the service does within seconds. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  await waitFor(condition, timeoutMs);
}
