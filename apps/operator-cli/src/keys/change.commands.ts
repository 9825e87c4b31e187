import { PETSTORE_PLANS, PETSTORE_SCOPES } from '@petstore/api';
import { type ChangedKey, type IssuedKey, type KeyId, KeyOrigins, type NewKey } from '@petstore/api-key';
import type { RateLimits } from '@petstore/rate-limit';
import { type Command, Option } from 'commander';
import { JSON_OPTION, type JsonOptions } from '../output.js';
import type { Terminal } from '../terminal.js';
import * as options from './options.js';
import type { KeysContext } from './keys-context.js';

const CREATE_HELP = `
Examples:
  $ npm run key -- create --name "Price board" --plan free --scopes pets:read --expires 90d
  $ npm run key -- create --name "Partner" --plan enterprise --per-minute 5000 --per-day 2000000
  $ npm run key -- create --name "Our pages" --plan pro --publishable --origins https://shelter.example,https://*.shelter.example

Without --scopes a key has ${PETSTORE_SCOPES.defaults.join(' and ')}. A publishable one has ${PETSTORE_SCOPES.publishable.join(' and ')}, and works from
the sites of --origins only, ${KeyOrigins.ALLOWED}.
The key is shown once, on standard output, and kept nowhere; --json has it as "key".`;

const UPDATE_HELP = `
What is left out stays. The key goes on without a break, and what it has used already still counts.

Examples:
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --plan business
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --scopes pets:read --expires never`;

const ROTATE_HELP = `
Gives the key a new secret, shown once. Id, settings and counters stay.

Examples:
  $ npm run key -- rotate key_3Hq9uA7LmX0cTz5e --overlap 7d
  $ npm run key -- rotate key_3Hq9uA7LmX0cTz5e --overlap 0      it has leaked: end it now`;

const REVOKE_HELP = `
There is no way back. To replace a secret that has leaked, "rotate --overlap 0" keeps the key.

Example:
  $ npm run key -- revoke key_3Hq9uA7LmX0cTz5e`;

const UNBAN_HELP = `
Ends the ban and forgets the refusals before it; the plan's limits hold as ever.

Example:
  $ npm run key -- unban key_3Hq9uA7LmX0cTz5e`;

const SCOPES = `what it may do, separated by commas: ${PETSTORE_SCOPES.all.join(', ')}`;

const ORIGINS = 'of a publishable key: the sites whose pages use it, separated by commas';

const OWN_LIMITS = PETSTORE_PLANS.all.filter((name) => PETSTORE_PLANS.find(name) === 'own').join(', ');

const EXPIRES = '2027-01-31, 2027-01-31T18:00:00Z, 90d or never';

interface SettingsOptions extends Partial<RateLimits> {
  readonly name?: string;
  readonly plan?: string;
  readonly scopes?: readonly string[];
  readonly origins?: readonly string[];
  readonly expires?: Date | 'never';
}

/** Of all commands; each has some of them. */
interface ChangeOptions extends SettingsOptions, JsonOptions {
  readonly by: string;
  readonly publishable?: true;
  readonly overlap: number;
}

/** Adds what changes keys. */
export function addChangeCommands(keys: Command, terminal: Terminal): void {
  const add = (
    name: string,
    description: string,
    help: string,
    done: string,
    change: (context: KeysContext, given: ChangeOptions, id: KeyId) => Promise<ChangedKey | IssuedKey>,
  ): Command => {
    const command = keys.command(name).description(description).addHelpText('after', help);
    return command
      .option('--by <who>', 'who does this, for the audit', options.parseBy, terminal.user)
      .addOption(JSON_OPTION)
      .action(async () => {
        const given = command.opts<ChangeOptions>();
        const [id] = command.processedArgs as [KeyId];
        const { changeKey } = await import('./keys.actions.js');
        await changeKey(done, given, terminal, (context) => change(context, given, id));
      });
  };
  const onKey = (command: Command): Command =>
    command.argument('<id>', 'the key, as list shows it', options.parseKeyId);

  const create = add('create', 'issue a key', CREATE_HELP, 'Created', ({ administration }, given) =>
    administration.create(settingsOf(given) as NewKey, given.by),
  ).option('--publishable', 'for pages: everybody may see it, and it reads animals only');
  addSettings(create, true).hook('preAction', () => {
    const { publishable, origins } = create.opts<ChangeOptions>();
    if ((publishable === true) !== (origins !== undefined))
      create.error('error: --publishable and --origins, the sites whose pages use the key, go together');
  });

  const update = add(
    'update',
    'change plan, limits, scopes, origins, expiry or name',
    UPDATE_HELP,
    'Updated',
    ({ administration }, given, id) => administration.update(id, settingsOf(given), given.by),
  );
  addSettings(onKey(update), false).hook('preAction', () => {
    if (Object.keys(settingsOf(update.opts<ChangeOptions>())).length === 0)
      update.error('error: say what is to change: --plan, --name or another option, see --help');
  });

  const rotate = add(
    'rotate',
    'give a key a new secret; the old one is accepted for a while longer',
    ROTATE_HELP,
    'Rotated',
    ({ administration }, { overlap, by }, id) => administration.rotate(id, overlap, by),
  );
  onKey(rotate).addOption(
    new Option('--overlap <time>', 'how long the old secret lives on: 30m, 24h, 7d; 0 ends it now')
      .argParser(options.parseOverlap)
      .default(24 * 60 * 60 * 1000, '24h'),
  );

  onKey(
    add('revoke', 'revoke a key permanently', REVOKE_HELP, 'Revoked', ({ administration }, { by }, id) =>
      administration.revoke(id, by),
    ),
  );

  onKey(
    add(
      'unban',
      'lift the temporary ban of a key',
      UNBAN_HELP,
      'Unbanned',
      async ({ administration, configuration }, { by }, id) => {
        const { liftBan } = await import('./limiter.js');
        await liftBan(id, configuration);
        return administration.unban(id, by);
      },
    ),
  );
}

/** The options for the settings of a key; a new one needs some. */
function addSettings(command: Command, isNew: boolean): Command {
  return command
    .addOption(new Option('--name <name>', 'whose it is, for people').makeOptionMandatory(isNew))
    .addOption(
      new Option('--plan <plan>', 'how much it may ask')
        .choices(PETSTORE_PLANS.all)
        .makeOptionMandatory(isNew),
    )
    .option('--scopes <list>', SCOPES, options.parseEntries)
    .option('--origins <list>', ORIGINS, options.parseEntries)
    .option('--expires <when>', EXPIRES, options.parseExpiry)
    .option('--per-minute <n>', `${OWN_LIMITS} only: requests in any 60 seconds`, options.parseLimit)
    .option('--per-day <n>', `${OWN_LIMITS} only: requests in any 24 hours`, options.parseLimit);
}

/** Those settings that were given. */
function settingsOf({
  name,
  plan,
  scopes,
  origins,
  expires,
  perMinute,
  perDay,
}: SettingsOptions): Partial<NewKey> {
  const limits = { ...(perMinute && { perMinute }), ...(perDay && { perDay }) };
  return {
    ...(name !== undefined && { name }),
    ...(plan && { plan }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(scopes && { scopes }),
    ...(origins && { origins }),
    ...(expires && { expiresAt: expires === 'never' ? undefined : expires }),
  };
}
