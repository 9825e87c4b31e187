/** The name of the error that `work` rejects with, or `ok`. */
export function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
}

/** How often each outcome occurs. */
export function tally(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Does `work` again and again until `other` has ended. @returns what that has returned */
export async function repeatDuring<T>(
  other: Promise<T>,
  work: (round: number) => Promise<unknown>,
): Promise<T> {
  const over = new AbortController();
  const ended = other.finally(() => {
    over.abort();
  });
  for (let round = 0; !over.signal.aborted; round++) await work(round);
  return ended;
}
