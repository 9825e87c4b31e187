import type { KeyId } from '@petstore/api-key';
import { Command } from 'commander';
import * as options from '../input/options.js';
import { rateLimitStatusOf } from '../context/rate-limit-status.js';
import type { Terminal } from '../terminal/terminal.js';
import { jsonLine } from '../view/json-line.js';
import { keyDetailsJson } from '../view/key.json.js';
import { detailsText } from '../view/details.view.js';
import { withCommandContext } from '../context/command-context.js';

interface ShowOptions {
  readonly json: boolean;
}

const HELP = `
Shows the settings, the secrets in use (never more of one than its last four characters), the requests of the
last seven days, what the limiter says at this moment where Redis keeps the counters, and every change: when,
what, by whom.

Example:
  $ npm run key -- show key_3Hq9uA7LmX0cTz5e`;

export function showCommand(terminal: Terminal): Command {
  return new Command('show')
    .description('one key: settings, secrets, use, every change')
    .addArgument(options.idArgument())
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async (id: KeyId, { json }: ShowOptions) => {
      const details = await withCommandContext(terminal, async ({ administration, configuration }) => {
        const shown = await administration.show(id);
        return { ...shown, rateLimit: await rateLimitStatusOf(shown.overview.key, configuration) };
      });
      const now = new Date();
      terminal.out(json ? jsonLine(keyDetailsJson(details, now)) : detailsText(details, now, terminal));
    });
}
