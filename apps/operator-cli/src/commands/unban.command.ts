import { PostgresKeyUsageStore } from '@petstore/persistence';
import { utcDay, type KeyId } from '@petstore/api-key';
import { Command } from 'commander';
import * as options from '../input/options.js';
import { liftBan } from '../context/rate-limit-status.js';
import type { Terminal } from '../terminal/terminal.js';
import { changedText } from '../view/change.view.js';
import { jsonLine } from '../view/json-line.js';
import { changedJson } from '../view/key.json.js';
import { withCommandContext } from '../context/command-context.js';

interface UnbanOptions {
  readonly by: string;
  readonly json: boolean;
}

const HELP = `
A key that goes on sending after being refused is banned for 5 minutes, longer each time. This ends the ban
and forgets the refusals before it; the plan's limits hold as ever.

Example:
  $ npm run key -- unban key_3Hq9uA7LmX0cTz5e`;

export function unbanCommand(terminal: Terminal): Command {
  return new Command('unban')
    .description('lift the temporary ban of a key')
    .addArgument(options.idArgument())
    .addOption(options.byOption(terminal.user))
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async (id: KeyId, { by, json }: UnbanOptions) => {
      const changed = await withCommandContext(
        terminal,
        async ({ administration, configuration, database }) => {
          await liftBan(id, configuration);
          const unbanned = await administration.unban(id, by);
          // What list and show go by, where the service has written it down.
          await new PostgresKeyUsageStore(database).add([
            {
              keyId: id,
              day: utcDay(new Date()),
              requests: 0,
              refused: 0,
              lastUsedAt: undefined,
              bannedUntil: null,
            },
          ]);
          return unbanned;
        },
      );
      terminal.out(json ? jsonLine(changedJson(changed)) : changedText(changed, 'Unbanned', terminal));
    });
}
