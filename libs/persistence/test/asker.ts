import { setTimeout as sleep } from 'node:timers/promises';

/** Between a result and the next question, in milliseconds. */
const PAUSE = 25;

/** What became of a question that was asked again and again. */
export interface Asked {
  readonly answers: number;
  readonly failures: Error[];
  /** Longest that one took, in milliseconds. */
  readonly slowest: number;
}

/** Asks one question at a time, until `signal` says that it is enough. */
export async function askAgain(ask: () => Promise<unknown>, signal: AbortSignal): Promise<Asked> {
  let answers = 0;
  let slowest = 0;
  const failures: Error[] = [];
  while (!signal.aborted) {
    const since = performance.now();
    await ask().then(
      () => answers++,
      (error: unknown) => failures.push(error as Error),
    );
    slowest = Math.max(slowest, performance.now() - since);
    await sleep(PAUSE);
  }
  return { answers, failures, slowest };
}
