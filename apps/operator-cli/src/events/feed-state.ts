import type { EventFeedStatus } from '@petstore/persistence';

/** Seconds after which events wait for longer than sequencing ever takes while it works. */
const BEHIND_SECONDS = 5;
/** Seconds after which an alert fires, too: docs/operations.md, "PetstoreEventsBehind". */
const STALLED_SECONDS = 30;

export type Verdict = 'ok' | 'behind' | 'stalled';

export function verdictOn({ waitingSeconds }: EventFeedStatus): Verdict {
  if (waitingSeconds > STALLED_SECONDS) return 'stalled';
  return waitingSeconds > BEHIND_SECONDS ? 'behind' : 'ok';
}

/** How many events the feed holds: positions have no gap. */
export function keptEvents({ first, newest }: EventFeedStatus): string {
  return String(BigInt(newest) - BigInt(first));
}

/** Positions and numbers as decimal digits: a number of JSON would not hold all of them for every reader. */
export function statusJson(status: EventFeedStatus): object {
  const { newest, first, oldestKeptAt = null, waiting, waitingSeconds } = status;
  return {
    newest,
    first,
    kept: keptEvents(status),
    oldestKeptAt,
    waiting,
    waitingSeconds,
    verdict: verdictOn(status),
  };
}
