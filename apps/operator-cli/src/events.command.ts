import { createInterface } from 'node:readline';
import {
  type EventFeedStatus,
  EventMaintenance,
  type InventoryRecount,
  type RestartedEventFeed,
} from '@petstore/persistence';
import type { Command } from 'commander';
import { CommandError, EXIT_HELP } from './errors.js';
import {
  ago,
  distance,
  factTable,
  JSON_OPTION,
  type JsonOptions,
  jsonLine,
  listTable,
  moment,
  type Palette,
  wholeNumber,
} from './output.js';
import type { Terminal } from './terminal.js';
import { DATABASE_HELP, withDatabase } from './with-database.js';

const DESCRIPTION = 'Watches and repairs the event feed and the inventory of the Pet Store Service.';

const HELP = `
  $ npm run events -- status      whether everything that has happened is in the feed
  $ npm run events -- recount     after changes made past the service
  $ npm run events -- restart     after the restore of a backup

${DATABASE_HELP}

Every command takes --json for scripts (npm run --silent events -- status --json) and --help.
${EXIT_HELP}.`;

const STATUS_HELP = `
Shows the positions of the feed, what waits in the outbox for a position, and a verdict: ok, behind (events
wait for more than 5 seconds) or stalled (for more than 30).

Examples:
  $ npm run events -- status
  $ npm run --silent events -- status --json | jq -r .verdict`;

const RECOUNT_HELP = `
Counts all animals and sets right every counter of GET /v1/store/inventory that is wrong. Needed whenever
animals were changed past the service.

Animals can be read and changed meanwhile; new events wait for their place in the feed until it is done, about half a
second for a million animals. It may be repeated at any time.

Examples:
  $ npm run events -- recount
  $ npm run --silent events -- recount --json | jq .corrected`;

const RESTART_HELP = `
For after the restore of a backup: readers of the feed may have read events that the backup does not have, and the
feed would give their positions to others. This lifts the position by 1,000,000 and lets the feed begin there: whoever
reads on from an earlier position gets 410 position_gone, fetches everything again, and follows from there. Events
from before can no longer be read.

Asks for confirmation; --yes for scripts.

Examples:
  $ npm run events -- restart
  $ npm run --silent events -- restart --yes --json`;

/** `npm run events`, for the feed and for what is kept by it. */
export function addEventsCommand(program: Command, terminal: Terminal): void {
  const events = program.command('events').description(DESCRIPTION).addHelpText('after', HELP);
  const withEvents = <Result>(work: (maintenance: EventMaintenance) => Promise<Result>): Promise<Result> =>
    withDatabase(terminal, 'petstore events', ({ database }) =>
      work(new EventMaintenance(database.settings)),
    );

  events
    .command('status')
    .description('whether everything that has happened is in the feed')
    .addOption(JSON_OPTION)
    .addHelpText('after', STATUS_HELP)
    .action(async ({ json }: JsonOptions) => {
      const status = await withEvents((maintenance) => maintenance.status());
      terminal.out(json ? jsonLine(statusJson(status)) : statusText(status, terminal.paint));
    });

  events
    .command('recount')
    .description('count all animals and set the inventory right')
    .addOption(JSON_OPTION)
    .addHelpText('after', RECOUNT_HELP)
    .action(async ({ json }: JsonOptions) => {
      const recount = await withEvents((maintenance) => maintenance.recount());
      terminal.out(json ? jsonLine(recountJson(recount)) : recountText(recount, terminal.paint));
    });

  events
    .command('restart')
    .description('make all readers of the feed begin anew, after a restore')
    .option('--yes', 'do not ask', false)
    .addOption(JSON_OPTION)
    .addHelpText('after', RESTART_HELP)
    .action(async ({ yes, json }: JsonOptions & { yes: boolean }) => {
      if (!yes) await confirmRestart(terminal);
      const restarted = await withEvents((maintenance) => maintenance.restart());
      terminal.out(json ? jsonLine(restarted) : restartText(restarted));
    });
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
function statusJson(status: EventFeedStatus): object {
  const { newest, first, oldestKeptAt, waiting, waitingSeconds } = status;
  const kept = String(keptEvents(status));
  return { newest, first, kept, oldestKeptAt, waiting, waitingSeconds, verdict: verdictOn(status) };
}

/** What a person reads of the state of the feed. */
function statusText(status: EventFeedStatus, paint: Palette): string {
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

/** The category of the counters of all animals is `null`. */
function recountJson({ corrections, ...counted }: InventoryRecount): object {
  return {
    ...counted,
    corrections: corrections.map(({ categoryId = null, ...rest }) => ({ categoryId, ...rest })),
  };
}

/** What a person reads after a recount. */
function recountText({ animals, corrected, corrections }: InventoryRecount, paint: Palette): string {
  const counted = `Counted ${digits(animals)} animals`;
  if (corrected === 0) return `${counted}. The inventory was right.\n`;
  const rows = corrections.map(({ categoryId = 'all', status, was, animals: is }) => [
    categoryId,
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
function restartText({ first }: RestartedEventFeed): string {
  return (
    `The feed begins anew after position ${digits(first)}. Its readers get 410 position_gone and fetch everything ` +
    'again.\n'
  );
}

/** Decimal digits with separators, exact for an int64. */
function digits(text: string): string {
  return wholeNumber(BigInt(text));
}
