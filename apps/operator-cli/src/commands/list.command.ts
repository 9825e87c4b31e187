import type { KeyState } from '@petstore/api-key';
import { Command, Option } from 'commander';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { jsonLine } from '../view/json-line.js';
import { keyJson } from '../view/key.json.js';
import { listText } from '../view/list.view.js';
import { withCommandContext } from '../context/command-context.js';

interface ListOptions {
  readonly state?: KeyState;
  readonly json: boolean;
}

const HELP = `
TODAY compares the requests admitted since midnight (UTC) with the plan's day; REFUSED counts those that got 429.
Both are a few seconds behind at most. "show" adds what the limiter says at this moment. Below the table stand the
keys that still need the previous pepper ("pepper": "previous" in JSON).

Examples:
  $ npm run key -- list
  $ npm run key -- list --state active
  $ npm run --silent key -- list --json | jq '.[] | select(.today.refused > 0) | .id'`;

export function listCommand(terminal: Terminal): Command {
  return new Command('list')
    .description('every key, its plan, and how much of it is used')
    .addOption(
      new Option('--state <state>', 'only keys in this state').choices(['active', 'expired', 'revoked']),
    )
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async ({ state, json }: ListOptions) => {
      const now = new Date();
      const all = await withCommandContext(terminal, ({ administration }) => administration.list());
      const keys = all.filter(({ key }) => state === undefined || key.stateAt(now) === state);
      terminal.out(
        json ? jsonLine(keys.map((overview) => keyJson(overview, now))) : listText(keys, now, terminal),
      );
    });
}
