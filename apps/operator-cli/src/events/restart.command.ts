import { Command } from 'commander';
import { confirm } from '../input/confirm.js';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { jsonLine } from '../view/json-line.js';
import { restartText } from './events.view.js';
import { NotConfirmedError } from '../terminal/not-confirmed.error.js';
import { withEventMaintenance } from './with-event-maintenance.js';

interface RestartOptions {
  readonly yes: boolean;
  readonly json: boolean;
}

const HELP = `
For after the restore of a backup: readers of the feed may have read events that the backup does not have, and the
feed would give their positions to others. This lifts the position by 1,000,000 and lets the feed begin there: whoever
reads on from an earlier position gets 410 position_gone, fetches everything again, and follows from there. Events
from before can no longer be read.

Asks for confirmation; --yes for scripts.

Examples:
  $ npm run events -- restart
  $ npm run --silent events -- restart --yes --json`;

const QUESTION =
  'Every reader of the feed will have to fetch everything again, and events from before can no longer be read.';

export function restartCommand(terminal: Terminal): Command {
  return new Command('restart')
    .description('make all readers of the feed begin anew, after a restore')
    .option('--yes', 'do not ask', false)
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async ({ yes, json }: RestartOptions) => {
      if (!yes && !(terminal.interactive && (await confirm(terminal, QUESTION))))
        throw new NotConfirmedError(terminal.interactive);
      const restarted = await withEventMaintenance(terminal, (maintenance) => maintenance.restart());
      terminal.out(json ? jsonLine(restarted) : restartText(restarted));
    });
}
