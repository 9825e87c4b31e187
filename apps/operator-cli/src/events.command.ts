import type { Command } from 'commander';
import { DATABASE_HELP, EXIT_HELP } from './help.js';
import { JSON_OPTION, type JsonOptions } from './output.js';
import type { Terminal } from './terminal.js';

const DESCRIPTION = 'Watches and repairs the event feed and the inventory of the Pet Store Service.';

const HELP = `
${DATABASE_HELP}

Every command takes --json for scripts (npm run --silent events -- status --json) and --help.
${EXIT_HELP}.`;

const STATUS_HELP = `
Shows the positions of the feed, what waits in the outbox for a position, and a verdict: ok, behind (events
wait for more than 5 seconds) or stalled (for more than 30: see docs/operations.md, PetstoreEventsBehind).

Examples:
  $ npm run events -- status
  $ npm run --silent events -- status --json | jq -r .verdict`;

const RECOUNT_HELP = `
Counts all animals and sets right every counter of GET /v1/store/inventory that is wrong, after changes that were made
past the service. New events wait meanwhile for their place in the feed, about half a second for a million animals.

Examples:
  $ npm run events -- recount
  $ npm run --silent events -- recount --json | jq .corrected`;

const RESTART_HELP = `
For after the restore of a backup, which lacks events that readers of the feed have read, and ids that clients have
stored. Lifts the position, and the next ids of animals, categories, orders, webhooks and deliveries, by 1,000,000:
whoever reads on from an earlier position gets 410 position_gone, and fetches everything again.

Example:
  $ npm run events -- restart --yes`;

/** `npm run events`, for the feed and for what is kept by it. */
export function addEventsCommand(program: Command, terminal: Terminal): void {
  const events = program.command('events').description(DESCRIPTION).addHelpText('after', HELP);

  events
    .command('status')
    .description('whether everything that has happened is in the feed')
    .addOption(JSON_OPTION)
    .addHelpText('after', STATUS_HELP)
    .action(async (given: JsonOptions) => (await import('./events.actions.js')).showFeed(given, terminal));

  events
    .command('recount')
    .description('count all animals and set the inventory right')
    .addOption(JSON_OPTION)
    .addHelpText('after', RECOUNT_HELP)
    .action(async (given: JsonOptions) =>
      (await import('./events.actions.js')).recountAnimals(given, terminal),
    );

  events
    .command('restart')
    .description('make all readers of the feed begin anew, after a restore')
    .requiredOption('--yes', 'this is meant: it cannot be undone')
    .addOption(JSON_OPTION)
    .addHelpText('after', RESTART_HELP)
    .action(async (given: JsonOptions) => (await import('./events.actions.js')).restartFeed(given, terminal));
}
