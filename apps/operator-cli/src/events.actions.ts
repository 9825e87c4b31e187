import { createInterface } from 'node:readline';
import { EventMaintenance, type EventFeedStatus } from '@petstore/persistence';
import { CommandError } from './errors.js';
import { ago, distance, type JsonOptions, jsonLine, moment, wholeNumber } from './output.js';
import { table } from './table.js';
import type { Terminal } from './terminal.js';
import { withDatabase } from './with-database.js';

/** Seconds after which events wait for longer than sequencing ever takes while it works. */
const BEHIND_SECONDS = 5;
/** Seconds after which an alert fires, too: docs/operations.md, "PetstoreEventsBehind". */
const STALLED_SECONDS = 30;

const VERDICTS = {
  ok: 'events get their place in the feed as they should.',
  behind: 'events wait longer than usual; look again in a few seconds.',
  stalled:
    'nothing gives events their place. Does an instance with WORKER=on run, and what does its log say of sequencing?',
};

function verdictOn({ waitingSeconds }: EventFeedStatus): keyof typeof VERDICTS {
  if (waitingSeconds > STALLED_SECONDS) return 'stalled';
  return waitingSeconds > BEHIND_SECONDS ? 'behind' : 'ok';
}

function withEvents<Result>(
  terminal: Terminal,
  work: (maintenance: EventMaintenance) => Promise<Result>,
): Promise<Result> {
  return withDatabase(terminal, 'petstore events', ({ database }) =>
    work(new EventMaintenance(database.settings)),
  );
}

/** Says whether everything that has happened is in the feed. */
export async function showFeed({ json }: JsonOptions, terminal: Terminal): Promise<void> {
  const status = await withEvents(terminal, (maintenance) => maintenance.status());
  const { newest, first, oldestKeptAt, waiting, waitingSeconds } = status;
  // Positions have no gap.
  const kept = BigInt(newest) - BigInt(first);
  const verdict = verdictOn(status);
  if (json) {
    terminal.out(jsonLine({ ...status, kept: String(kept), verdict }));
    return;
  }
  const oldest =
    oldestKeptAt === null ? 'none' : `${moment(oldestKeptAt)} (${ago(oldestKeptAt, new Date())})`;
  const waits =
    waiting === '0' ? 'none' : `${digits(waiting)}, the oldest for ${distance(waitingSeconds * 1_000)}`;
  const facts = table([
    ['Newest position', digits(newest)],
    ['First kept after', digits(first)],
    ['Events kept', wholeNumber(kept)],
    ['Oldest kept', oldest],
    ['Waiting', waits],
  ]);
  terminal.out(`${facts}\n${verdict}: ${VERDICTS[verdict]}\n`);
}

/** Sets the inventory right, and says what was wrong. */
export async function recountAnimals({ json }: JsonOptions, terminal: Terminal): Promise<void> {
  const recount = await withEvents(terminal, (maintenance) => maintenance.recount());
  if (json) {
    terminal.out(jsonLine(recount));
    return;
  }
  const { animals, corrected, corrections } = recount;
  const rows = corrections.map(({ categoryId, status, was, animals: is }) => [
    categoryId ?? 'all',
    status,
    digits(was),
    digits(is),
  ]);
  const more = corrected - corrections.length;
  terminal.out(
    `Counted ${digits(animals)} animals. Wrong numbers of the inventory: ${wholeNumber(corrected)}.\n`,
  );
  if (corrected > 0) terminal.out(table([['CATEGORY', 'STATUS', 'WAS', 'IS'], ...rows]));
  if (more > 0) terminal.out(`and ${wholeNumber(more)} more\n`);
}

/** Makes all readers of the feed begin anew, once that is confirmed. */
export async function restartFeed(
  { yes, json }: JsonOptions & { readonly yes: boolean },
  terminal: Terminal,
): Promise<void> {
  if (!yes) await confirmRestart(terminal);
  const restarted = await withEvents(terminal, (maintenance) => maintenance.restart());
  const said =
    `The feed begins anew after position ${digits(restarted.first)}. Its readers get 410 position_gone and fetch ` +
    'everything again. New ids begin 1,000,000 later.\n';
  terminal.out(json ? jsonLine(restarted) : said);
}

const QUESTION =
  'Every reader of the feed will have to fetch everything again, and events from before can no longer be read.';

/** @throws {CommandError} unless a person types `yes` */
async function confirmRestart({ interactive, err, input }: Terminal): Promise<void> {
  if (!interactive)
    throw new CommandError('Nothing was done: nobody is at the terminal to confirm it. Say --yes.');
  err(`${QUESTION} Type yes to go on: `);
  for await (const line of createInterface({ input })) {
    if (line.trim() === 'yes') return;
    break;
  }
  throw new CommandError('Nothing was done: it was not confirmed.');
}

/** Decimal digits with separators, exact for an int64. */
function digits(text: string): string {
  return wholeNumber(BigInt(text));
}
