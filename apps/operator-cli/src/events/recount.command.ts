import { Command } from 'commander';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { jsonLine } from '../view/json-line.js';
import { recountText } from './events.view.js';
import { withEventMaintenance } from './with-event-maintenance.js';

interface RecountOptions {
  readonly json: boolean;
}

const HELP = `
Counts all animals and sets right every counter of GET /v1/store/inventory that is wrong. Needed whenever
animals were changed past the service.

Animals can be read and changed meanwhile; new events wait for their place in the feed until it is done, about half a
second for a million animals. It may be repeated at any time.

Examples:
  $ npm run events -- recount
  $ npm run --silent events -- recount --json | jq .corrected`;

export function recountCommand(terminal: Terminal): Command {
  return new Command('recount')
    .description('count all animals and set the inventory right')
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async ({ json }: RecountOptions) => {
      const recount = await withEventMaintenance(terminal, (maintenance) => maintenance.recount());
      const corrections = recount.corrections.map(({ categoryId = null, ...rest }) => ({
        categoryId,
        ...rest,
      }));
      terminal.out(json ? jsonLine({ ...recount, corrections }) : recountText(recount, terminal));
    });
}
