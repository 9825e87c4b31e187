import { Command } from 'commander';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { jsonLine } from '../view/json-line.js';
import { idArgument, withWebhookMaintenance } from './with-webhook-maintenance.js';

interface DisableOptions {
  readonly json: boolean;
}

const HELP = `
Nothing is delivered to the webhook any more, and what was to be delivered has failed. Its owner can enable it again
and recover what was missed. To keep a key from that, take the scope webhooks:manage from it (npm run key -- update)
or revoke it.

Example:
  $ npm run webhook -- disable 3`;

export function disableCommand(terminal: Terminal): Command {
  return new Command('disable')
    .description('deliver nothing to a webhook until its owner enables it again')
    .addArgument(idArgument())
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async (id: string, { json }: DisableOptions) => {
      const wasEnabled = await withWebhookMaintenance(terminal, (maintenance) => maintenance.disable(id));
      const text = wasEnabled ? `The webhook ${id} is disabled.` : `The webhook ${id} was disabled before.`;
      terminal.out(json ? jsonLine({ id, status: 'disabled', wasEnabled }) : `${text}\n`);
    });
}
