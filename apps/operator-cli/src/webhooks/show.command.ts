import { Command } from 'commander';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { jsonLine } from '../view/json-line.js';
import { detailsText } from './webhooks.view.js';
import { idArgument, withWebhookMaintenance } from './with-webhook-maintenance.js';

interface ShowOptions {
  readonly json: boolean;
}

const HELP = `
Shows what the webhook asks for, how many secrets sign its deliveries (never a secret), how many deliveries have
which status, up to 1,000 of each, and the last ten.

Example:
  $ npm run webhook -- show 3`;

export function showCommand(terminal: Terminal): Command {
  return new Command('show')
    .description('one webhook and its last deliveries')
    .addArgument(idArgument())
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async (id: string, { json }: ShowOptions) => {
      const details = await withWebhookMaintenance(terminal, (maintenance) => maintenance.show(id));
      terminal.out(json ? jsonLine(details) : detailsText(details, new Date(), terminal));
    });
}
