import type {
  EventFeedStatus,
  InventoryCorrection,
  InventoryRecount,
  RestartedEventFeed,
} from '@petstore/persistence';
import type { Terminal } from '../terminal/terminal.js';
import { distance, moment, wholeNumber } from '../view/format.js';
import { type Palette, palette } from '../view/palette.js';
import { table } from '../view/table.js';
import { keptEvents, type Verdict, verdictOn } from './feed-state.js';

const VERDICTS: Readonly<Record<Verdict, (paint: Palette) => string>> = {
  ok: (paint) => `${paint('green', 'ok')}: events get their place in the feed as they should.`,
  behind: (paint) =>
    `${paint('yellow', 'behind')}: events wait longer than usual; look again in a few seconds.`,
  stalled: (paint) =>
    `${paint('red', 'stalled')}: nothing gives events their place. Does an instance with WORKER=on run, and what ` +
    'does its log say of sequencing?',
};

/** What a person reads of the state of the feed. */
export function statusText(status: EventFeedStatus, now: Date, terminal: Terminal): string {
  const paint = palette(terminal);
  const { newest, first, oldestKeptAt, waiting, waitingSeconds } = status;
  const ago = (date: Date): string => `${moment(date)} (${distance(now.getTime() - date.getTime())} ago)`;
  const rows = [
    ['Newest position', number(newest)],
    ['First kept after', number(first)],
    ['Events kept', number(keptEvents(status))],
    ['Oldest kept', oldestKeptAt === undefined ? 'none' : ago(oldestKeptAt)],
    [
      'Waiting',
      waiting === '0' ? 'none' : `${number(waiting)}, the oldest for ${distance(waitingSeconds * 1_000)}`,
    ],
  ];
  const facts = table(rows.map(([label = '', value = '']) => [paint('dim', label), value]));
  return `${facts}\n${VERDICTS[verdictOn(status)](paint)}\n`;
}

/** What a person reads after a recount. */
export function recountText(
  { animals, corrected, corrections }: InventoryRecount,
  terminal: Terminal,
): string {
  const counted = `Counted ${number(animals)} animals`;
  if (corrected === 0) return `${counted}. The inventory was right.\n`;
  const paint = palette(terminal);
  const headings = ['CATEGORY', 'STATUS', 'WAS', 'IS'].map((heading) => paint('bold', heading));
  const more = corrected - corrections.length;
  return [
    `${counted}, and corrected ${wholeNumber(corrected)} of the inventory's numbers:\n`,
    table([headings, ...corrections.map(correctionRow)]),
    more === 0 ? '' : `and ${wholeNumber(more)} more\n`,
  ].join('');
}

function correctionRow({ categoryId = 'all', status, was, animals }: InventoryCorrection): string[] {
  return [categoryId, status, number(was), number(animals)];
}

/** What a person reads after a restart. */
export function restartText({ first }: RestartedEventFeed): string {
  return (
    `The feed begins anew after position ${number(first)}. Its readers get 410 position_gone and fetch everything ` +
    'again.\n'
  );
}

function number(digits: string): string {
  return BigInt(digits).toLocaleString('en-GB');
}
