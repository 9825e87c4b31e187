import { readConfiguration } from '@petstore/api';
import { type EventMaintenance, PostgresEventMaintenance } from '@petstore/persistence';
import { Option } from 'commander';
import { command, program } from '../command.js';
import { confirm } from '../terminal/confirm.js';
import { CommandError } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { withDatabase } from '../with-database.js';
import { recountText, restartText, statusText } from './events.view.js';
import { statusJson } from './feed-state.js';

const HELP = `
  $ npm run events -- status      whether everything that has happened is in the feed
  $ npm run events -- recount     after changes made past the service
  $ npm run events -- restart     after the restore of a backup

Works beside the running service, on the database in DATABASE_URL (with API_KEY_PEPPER) or the embedded one
in PETSTORE_DATA_DIR.

Every command takes --json for scripts (npm run --silent events -- status --json) and --help.
Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong.`;

function withEvents<Result>(
  { environment }: Terminal,
  work: (maintenance: EventMaintenance) => Promise<Result>,
): Promise<Result> {
  return withDatabase(
    readConfiguration(environment),
    { applicationName: 'petstore events' },
    ({ settings }) => work(new PostgresEventMaintenance(settings)),
  );
}

const status = command({
  name: 'status',
  description: 'whether everything that has happened is in the feed',
  help: `
Shows the positions of the feed, what waits in the outbox for a position, and a verdict: ok, behind (events
wait for more than 5 seconds) or stalled (for more than 30).

Examples:
  $ npm run events -- status
  $ npm run --silent events -- status --json | jq -r .verdict`,
  run: (_given, terminal) => withEvents(terminal, (maintenance) => maintenance.status()),
  json: statusJson,
  text: (found, terminal) => statusText(found, new Date(), terminal),
});

const recount = command({
  name: 'recount',
  description: 'count all animals and set the inventory right',
  help: `
Counts all animals and sets right every counter of GET /v1/store/inventory that is wrong. Needed whenever
animals were changed past the service.

Animals can be read and changed meanwhile; new events wait for their place in the feed until it is done, about half a
second for a million animals. It may be repeated at any time.

Examples:
  $ npm run events -- recount
  $ npm run --silent events -- recount --json | jq .corrected`,
  run: (_given, terminal) => withEvents(terminal, (maintenance) => maintenance.recount()),
  json: ({ corrections, ...counted }) => ({
    ...counted,
    corrections: corrections.map(({ categoryId = null, ...rest }) => ({ categoryId, ...rest })),
  }),
  text: recountText,
});

const QUESTION =
  'Every reader of the feed will have to fetch everything again, and events from before can no longer be read.';

const restart = command({
  name: 'restart',
  description: 'make all readers of the feed begin anew, after a restore',
  help: `
For after the restore of a backup: readers of the feed may have read events that the backup does not have, and the
feed would give their positions to others. This lifts the position by 1,000,000 and lets the feed begin there: whoever
reads on from an earlier position gets 410 position_gone, fetches everything again, and follows from there. Events
from before can no longer be read.

Asks for confirmation; --yes for scripts.

Examples:
  $ npm run events -- restart
  $ npm run --silent events -- restart --yes --json`,
  takes: () => [new Option('--yes', 'do not ask').default(false)],
  run: async ({ yes }: { readonly yes: boolean }, terminal) => {
    if (!yes && !terminal.interactive)
      throw new CommandError('Nothing was done: nobody is at the terminal to confirm it. Say --yes.');
    if (!yes && !(await confirm(terminal, QUESTION)))
      throw new CommandError('Nothing was done: it was not confirmed.');
    return withEvents(terminal, (maintenance) => maintenance.restart());
  },
  json: (restarted) => restarted,
  text: restartText,
});

/** The command line of `npm run events`, for the feed and for what is kept by it. */
export const createEventsProgram = program(
  'npm run events --',
  'Watches and repairs the event feed and the inventory of the Pet Store Service.',
  HELP,
  [status, recount, restart],
);
