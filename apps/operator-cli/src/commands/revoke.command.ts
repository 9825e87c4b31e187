import type { KeyId } from '@petstore/api-key';
import { Command } from 'commander';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { changedText } from '../view/change.view.js';
import { jsonLine } from '../view/json-line.js';
import { changedJson } from '../view/key.json.js';
import { withCommandContext } from '../context/command-context.js';

interface RevokeOptions {
  readonly by: string;
  readonly json: boolean;
}

const HELP = `
Every secret of the key is refused from then on, within 10 seconds everywhere, and there is no way back. To
replace a secret that has leaked, "rotate --overlap 0" keeps the key.

Example:
  $ npm run key -- revoke key_3Hq9uA7LmX0cTz5e`;

export function revokeCommand(terminal: Terminal): Command {
  return new Command('revoke')
    .description('revoke a key permanently')
    .addArgument(options.idArgument())
    .addOption(options.byOption(terminal.user))
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async (id: KeyId, { by, json }: RevokeOptions) => {
      const changed = await withCommandContext(terminal, ({ administration }) =>
        administration.revoke(id, by),
      );
      terminal.out(json ? jsonLine(changedJson(changed)) : changedText(changed, 'Revoked', terminal));
    });
}
