import type { KeyId } from '@petstore/api-key';
import { Command } from 'commander';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { issuedText } from '../view/change.view.js';
import { jsonLine } from '../view/json-line.js';
import { issuedJson } from '../view/key.json.js';
import { withCommandContext } from '../context/command-context.js';

interface RotateOptions {
  readonly overlap: number;
  readonly by: string;
  readonly json: boolean;
}

const HELP = `
Gives the key a new secret, shown once. Id, settings and counters stay: old and new secret share the plan's
limits. The client changes over while both work.

Examples:
  $ npm run key -- rotate key_3Hq9uA7LmX0cTz5e                  the old secret works for 24 more hours
  $ npm run key -- rotate key_3Hq9uA7LmX0cTz5e --overlap 7d
  $ npm run key -- rotate key_3Hq9uA7LmX0cTz5e --overlap 0      it has leaked: end it now`;

export function rotateCommand(terminal: Terminal): Command {
  return new Command('rotate')
    .description('give a key a new secret; the old one is accepted for a while longer')
    .addArgument(options.idArgument())
    .addOption(options.overlapOption())
    .addOption(options.byOption(terminal.user))
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async (id: KeyId, { overlap, by, json }: RotateOptions) => {
      const issued = await withCommandContext(terminal, ({ administration }) =>
        administration.rotate(id, overlap, by),
      );
      terminal.out(json ? jsonLine(issuedJson(issued)) : issuedText(issued, 'Rotated', terminal));
    });
}
