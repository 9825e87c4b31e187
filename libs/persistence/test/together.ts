import { beforeAll, it } from '@jest/globals';

/**
 * Tests that mostly wait, and do not disturb each other: all of them begin at the same time.
 *
 * @param tests each by its name; they run after the `beforeAll` that stand before this call
 */
export function together(tests: Readonly<Record<string, () => Promise<void>>>): void {
  const outcomes = new Map<string, Promise<() => void>>();
  beforeAll(() => {
    for (const [name, test] of Object.entries(tests)) outcomes.set(name, outcomeOf(test()));
  });
  for (const name of Object.keys(tests)) {
    it(name, async () => {
      (await outcomes.get(name))?.();
    });
  }
}

/** Throws what the test has thrown, once somebody asks: until then nobody handles it. */
function outcomeOf(test: Promise<void>): Promise<() => void> {
  return test.then(
    () => () => undefined,
    (error: unknown) => () => {
      throw error;
    },
  );
}
