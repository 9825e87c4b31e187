import type { EventFeedStatus, InventoryRecount, RestartedEventFeed } from '@petstore/persistence';
import { ago, distance, moment, type Palette, wholeNumber } from './output.js';
import { factTable, listTable } from './tables.js';

/** Seconds after which events wait for longer than sequencing ever takes while it works. */
const BEHIND_SECONDS = 5;
/** Seconds after which an alert fires, too: docs/operations.md, "PetstoreEventsBehind". */
const STALLED_SECONDS = 30;

type Verdict = 'ok' | 'behind' | 'stalled';

function verdictOn({ waitingSeconds }: EventFeedStatus): Verdict {
  if (waitingSeconds > STALLED_SECONDS) return 'stalled';
  return waitingSeconds > BEHIND_SECONDS ? 'behind' : 'ok';
}

const VERDICTS: Readonly<Record<Verdict, (paint: Palette) => string>> = {
  ok: (paint) => `${paint('green', 'ok')}: events get their place in the feed as they should.`,
  behind: (paint) =>
    `${paint('yellow', 'behind')}: events wait longer than usual; look again in a few seconds.`,
  stalled: (paint) =>
    `${paint('red', 'stalled')}: nothing gives events their place. Does an instance with WORKER=on run, and what ` +
    'does its log say of sequencing?',
};

/** How many events the feed holds: positions have no gap. */
function keptEvents({ first, newest }: EventFeedStatus): bigint {
  return BigInt(newest) - BigInt(first);
}

/** Positions and numbers as decimal digits: a number of JSON would not hold all of them for every reader. */
export function statusJson(status: EventFeedStatus): object {
  const { newest, first, oldestKeptAt, waiting, waitingSeconds } = status;
  const kept = String(keptEvents(status));
  return { newest, first, kept, oldestKeptAt, waiting, waitingSeconds, verdict: verdictOn(status) };
}

/** What a person reads of the state of the feed. */
export function statusText(status: EventFeedStatus, paint: Palette): string {
  const { newest, first, oldestKeptAt, waiting, waitingSeconds } = status;
  const oldest =
    oldestKeptAt === null ? 'none' : `${moment(oldestKeptAt)} (${ago(oldestKeptAt, new Date())})`;
  const waits =
    waiting === '0' ? 'none' : `${digits(waiting)}, the oldest for ${distance(waitingSeconds * 1_000)}`;
  const facts = factTable(paint, [
    ['Newest position', digits(newest)],
    ['First kept after', digits(first)],
    ['Events kept', wholeNumber(keptEvents(status))],
    ['Oldest kept', oldest],
    ['Waiting', waits],
  ]);
  return `${facts}\n${VERDICTS[verdictOn(status)](paint)}\n`;
}

/** What a person reads after a recount. */
export function recountText({ animals, corrected, corrections }: InventoryRecount, paint: Palette): string {
  const counted = `Counted ${digits(animals)} animals`;
  if (corrected === 0) return `${counted}. The inventory was right.\n`;
  const rows = corrections.map(({ categoryId, status, was, animals: is }) => [
    categoryId ?? 'all',
    status,
    digits(was),
    digits(is),
  ]);
  const more = corrected - corrections.length;
  return [
    `${counted}, and corrected ${wholeNumber(corrected)} of the inventory's numbers:\n`,
    listTable(paint, ['CATEGORY', 'STATUS', 'WAS', 'IS'], rows),
    more === 0 ? '' : `and ${wholeNumber(more)} more\n`,
  ].join('');
}

/** What a person reads after a restart. */
export function restartText({ first }: RestartedEventFeed): string {
  return (
    `The feed begins anew after position ${digits(first)}. Its readers get 410 position_gone and fetch everything ` +
    'again. New ids begin 1,000,000 later.\n'
  );
}

/** Decimal digits with separators, exact for an int64. */
function digits(text: string): string {
  return wholeNumber(BigInt(text));
}
