import type { Scope } from '@petstore/api-key';
import type { PlanName } from '@petstore/rate-limit';
import { PETSTORE_SCOPES } from '@petstore/api';
import { Command } from 'commander';
import { type LimitOptions, limitsOf } from '../input/limits.js';
import { type Expiry, toDate } from '../input/option-values.js';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { issuedText } from '../view/change.view.js';
import { jsonLine } from '../view/json-line.js';
import { issuedJson } from '../view/key.json.js';
import { withCommandContext } from '../context/command-context.js';

interface CreateOptions extends LimitOptions {
  readonly name: string;
  readonly plan: PlanName;
  readonly scopes?: readonly Scope[];
  readonly expires: Expiry;
  readonly by: string;
  readonly json: boolean;
}

const HELP = `
Examples:
  $ npm run key -- create --name "Shop website" --plan pro
  $ npm run key -- create --name "Price board" --plan free --scopes pets:read --expires 90d
  $ npm run key -- create --name "Shelter site" --plan pro --scopes pets:read,orders:read,orders:write
  $ npm run key -- create --name "Partner" --plan enterprise --per-minute 5000 --per-day 2000000

Without --scopes a key has ${PETSTORE_SCOPES.defaults.join(' and ')}.

The key is shown once, on standard output, and kept nowhere: only its hash is. Under --json the object
printed holds it as "key".`;

export function createCommand(terminal: Terminal): Command {
  return new Command('create')
    .description('issue a key')
    .requiredOption('--name <name>', 'whose it is, for people')
    .addOption(options.planOption().makeOptionMandatory())
    .addOption(options.scopesOption())
    .addOption(options.expiresOption().default('never'))
    .addOption(options.perMinuteOption())
    .addOption(options.perDayOption())
    .addOption(options.byOption(terminal.user))
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async (given: CreateOptions) => {
      const { name, plan, scopes, expires, by, json } = given;
      const issued = await withCommandContext(terminal, ({ administration }) =>
        administration.create(
          {
            name,
            plan,
            limits: limitsOf(given),
            ...(scopes && { scopes }),
            expiresAt: toDate(expires),
          },
          by,
        ),
      );
      terminal.out(json ? jsonLine(issuedJson(issued)) : issuedText(issued, 'Created', terminal));
    });
}
