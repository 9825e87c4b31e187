import { Command } from 'commander';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { jsonLine } from '../view/json-line.js';
import { statusJson } from './feed-state.js';
import { statusText } from './events.view.js';
import { withEventMaintenance } from './with-event-maintenance.js';

interface StatusOptions {
  readonly json: boolean;
}

const HELP = `
Shows the positions of the feed, what waits in the outbox for a position, and a verdict: ok, behind (events
wait for more than 5 seconds) or stalled (for more than 30).

Examples:
  $ npm run events -- status
  $ npm run --silent events -- status --json | jq -r .verdict`;

export function statusCommand(terminal: Terminal): Command {
  return new Command('status')
    .description('whether everything that has happened is in the feed')
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async ({ json }: StatusOptions) => {
      const status = await withEventMaintenance(terminal, (maintenance) => maintenance.status());
      terminal.out(json ? jsonLine(statusJson(status)) : statusText(status, new Date(), terminal));
    });
}
