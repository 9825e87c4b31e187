import { PETSTORE_PLANS, PETSTORE_SCOPES } from '@petstore/api';
import { KEY_STATES, type KeyId, type KeyState } from '@petstore/api-key';
import { type Command, Option } from 'commander';
import { DATABASE_HELP, EXIT_HELP } from '../help.js';
import { JSON_OPTION, type JsonOptions, wholeNumber } from '../output.js';
import type { Terminal } from '../terminal.js';
import { addChangeCommands } from './change.commands.js';
import { parseKeyId } from './options.js';

const plans = PETSTORE_PLANS.all
  .map((name) => {
    const limits = PETSTORE_PLANS.find(name);
    if (limits === undefined || limits === 'own') return `${name} its own`;
    return `${name} ${wholeNumber(limits.perMinute)} a minute, ${wholeNumber(limits.perDay)} a day`;
  })
  .join(' · ');
const longest = Math.max(...PETSTORE_SCOPES.all.map(({ length }) => length));
const scopes = PETSTORE_SCOPES.all
  .map((scope) => `  ${scope.padEnd(longest)}  ${PETSTORE_SCOPES.grantsOf(scope) ?? ''}`)
  .join('\n');

const DESCRIPTION = 'Issues, lists, changes and revokes the API keys of the Pet Store Service.';

const HELP = `
Plans:  ${plans}
Scopes:
${scopes}

${DATABASE_HELP} A change holds everywhere within 10 seconds, mostly at once.

Every command takes --json for scripts (npm run --silent key -- list --json) and --help.
${EXIT_HELP}.`;

const LIST_HELP = `
today compares the requests admitted since midnight (UTC) with the plan's day; refused counts those that got 429. Both
are a few seconds behind at most. pepper says which keys still need the previous one.

Examples:
  $ npm run key -- list --state active
  $ npm run --silent key -- list --json | jq '.[] | select(.today.refused > 0) | .id'`;

const SHOW_HELP = `
Never shows more of a secret than its last four characters.

Example:
  $ npm run key -- show key_3Hq9uA7LmX0cTz5e`;

/** `npm run key`. */
export function addKeysCommand(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').alias('key').description(DESCRIPTION).addHelpText('after', HELP);
  keys
    .command('list')
    .description('every key, its plan, and how much of it is used')
    .addOption(new Option('--state <state>', 'only keys in this state').choices(KEY_STATES))
    .addOption(JSON_OPTION)
    .addHelpText('after', LIST_HELP)
    .action(async (given: JsonOptions & { state?: KeyState }) =>
      (await import('./keys.actions.js')).listKeys(given, terminal),
    );

  keys
    .command('show')
    .description('one key: settings, secrets, use, every change')
    .argument('<id>', 'the key, as list shows it', parseKeyId)
    .addOption(JSON_OPTION)
    .addHelpText('after', SHOW_HELP)
    .action(async (id: KeyId, given: JsonOptions) =>
      (await import('./keys.actions.js')).showKey(id, given, terminal),
    );

  addChangeCommands(keys, terminal);
}
