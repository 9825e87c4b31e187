import { waitFor } from '@petstore/testing';

/** As {@link waitFor}, for conditions of which only matters that they hold. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs?: number): Promise<void> {
  await waitFor(condition, timeoutMs);
}

/**
 * Makes assertions again until all of them hold: for a state that comes by itself and of which a failure should say what differs.
 *
 * @throws the error of the assertion that did not hold in time
 */
export async function untilHolds(assertions: () => void | Promise<void>, timeoutMs?: number): Promise<void> {
  let failure: unknown;
  const hold = async (): Promise<boolean> => {
    try {
      await assertions();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  await waitFor(hold, timeoutMs).catch(() => {
    throw failure;
  });
}
