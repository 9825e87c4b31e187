import type { KeyId, Scope } from '@petstore/api-key';
import type { PlanName } from '@petstore/rate-limit';
import { Command } from 'commander';
import { type LimitOptions, limitsOf } from '../input/limits.js';
import { type Expiry, toDate } from '../input/option-values.js';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { changedText } from '../view/change.view.js';
import { jsonLine } from '../view/json-line.js';
import { changedJson } from '../view/key.json.js';
import { withCommandContext } from '../context/command-context.js';

interface UpdateOptions extends LimitOptions {
  readonly name?: string;
  readonly plan?: PlanName;
  readonly scopes?: readonly Scope[];
  readonly expires?: Expiry;
  readonly by: string;
  readonly json: boolean;
}

const HELP = `
What is left out stays. The key goes on without a break, and what it has used already still counts.

Examples:
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --plan business
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --plan enterprise --per-minute 5000 --per-day 2000000
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --scopes pets:read --expires never`;

export function updateCommand(terminal: Terminal): Command {
  const command: Command = new Command('update')
    .description('change plan, limits, scopes, expiry or name')
    .addArgument(options.idArgument())
    .option('--name <name>', 'whose it is, for people')
    .addOption(options.planOption())
    .addOption(options.scopesOption())
    .addOption(options.expiresOption())
    .addOption(options.perMinuteOption())
    .addOption(options.perDayOption())
    .addOption(options.byOption(terminal.user))
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async (id: KeyId, given: UpdateOptions) => {
      const { name, plan, scopes, expires, by, json } = given;
      const limits = limitsOf(given);
      const changes = {
        ...(name !== undefined && { name }),
        ...(plan !== undefined && { plan }),
        ...(Object.keys(limits).length > 0 && { limits }),
        ...(scopes !== undefined && { scopes }),
        ...(expires !== undefined && { expiresAt: toDate(expires) }),
      };
      if (Object.keys(changes).length === 0)
        command.error('error: say what to change, such as --plan business');
      const changed = await withCommandContext(terminal, ({ administration }) =>
        administration.update(id, changes, by),
      );
      terminal.out(json ? jsonLine(changedJson(changed)) : changedText(changed, 'Updated', terminal));
    });
  return command;
}
