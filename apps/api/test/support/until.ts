import { waitFor } from '@petstore/testing';

/** As {@link waitFor}, for conditions of which only matters that they hold. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs?: number): Promise<void> {
  await waitFor(condition, timeoutMs);
}
