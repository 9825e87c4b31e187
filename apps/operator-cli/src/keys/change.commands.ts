import { PETSTORE_PLANS, PETSTORE_SCOPES } from '@petstore/api';
import {
  type ChangedKey,
  type IssuedKey,
  type KeyId,
  KeyOrigins,
  type NewKey,
  type Scope,
} from '@petstore/api-key';
import type { RateLimits } from '@petstore/rate-limit';
import { type Command, Option } from 'commander';
import { JSON_OPTION, type JsonOptions, jsonLine } from '../output.js';
import type { Terminal } from '../terminal.js';
import { keySettingsJson } from './key.json.js';
import * as options from './options.js';
import type { KeysContext } from './keys-context.js';
import { OWN_LIMITS } from './plans.js';

const CREATE_HELP = `
Examples:
  $ npm run key -- create --name "Shop website" --plan pro
  $ npm run key -- create --name "Price board" --plan free --scopes pets:read --expires 90d
  $ npm run key -- create --name "Shelter site" --plan pro --scopes pets:read,orders:read,orders:write
  $ npm run key -- create --name "Partner" --plan enterprise --per-minute 5000 --per-day 2000000
  $ npm run key -- create --name "Our pages" --plan pro --publishable --origins https://shelter.example,https://*.shelter.example

Without --scopes a key has ${PETSTORE_SCOPES.defaults.join(' and ')}. A publishable one has ${PETSTORE_SCOPES.publishable.join(' and ')}, and works from
the sites of --origins only, ${KeyOrigins.ALLOWED}.
The key is shown once, on standard output, and kept nowhere; --json has it as "key".`;

const UPDATE_HELP = `
What is left out stays. The key goes on without a break, and what it has used already still counts.

Examples:
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --plan business
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --plan enterprise --per-minute 5000 --per-day 2000000
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --scopes pets:read --expires never
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --origins https://shelter.example`;

const ROTATE_HELP = `
Gives the key a new secret, shown once. Id, settings and counters stay.

Examples:
  $ npm run key -- rotate key_3Hq9uA7LmX0cTz5e                  the old secret works for 24 more hours
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

const EXPIRES = '2027-01-31, 2027-01-31T18:00:00Z, 90d or never';

interface ChangeOptions extends JsonOptions {
  readonly by: string;
}

interface SettingsOptions extends Partial<RateLimits> {
  readonly name?: string;
  readonly plan?: string;
  readonly scopes?: readonly Scope[];
  readonly expires?: options.Expiry;
  readonly publishable?: true;
  readonly origins?: readonly string[];
}

export function addCreateCommand(keys: Command, terminal: Terminal): void {
  const create = keys.command('create').description('issue a key').addHelpText('after', CREATE_HELP);
  create.addOption(
    new Option('--publishable', 'for pages: everybody may see it, and it reads animals only').conflicts(
      'scopes',
    ),
  );
  addSettings(create, true).hook('preAction', async () => {
    const { publishable, origins } = create.opts<SettingsOptions>();
    if (publishable && !origins)
      create.error('error: a publishable key needs --origins, the sites whose pages use it');
    if (origins && !publishable) create.error('error: --origins is for publishable keys: add --publishable');
    await warnOfSharedSites(origins, terminal);
  });
  addChange(create, 'Created', terminal, ({ administration, idleFolder }, by) => {
    if (idleFolder !== undefined)
      terminal.err(
        `note: No service runs on ${idleFolder}, where this key is made. One with another PETSTORE_DATA_DIR does not know it.\n`,
      );
    // Commander refuses a command without them.
    const { name, plan } = create.opts<Pick<NewKey, 'name' | 'plan'>>();
    return administration.create({ ...settingsOf(create), name, plan }, by);
  });
}

/** Adds what is done with a key that there is. */
export function addChangeCommands(keys: Command, terminal: Terminal): void {
  const commandOnKey = (name: string, description: string, help: string): Command =>
    keys
      .command(name)
      .description(description)
      .argument('<id>', 'the key, as list shows it', options.parseKeyId)
      .addHelpText('after', help);

  const update = commandOnKey('update', 'change plan, limits, scopes, origins, expiry or name', UPDATE_HELP);
  addSettings(update, false).hook('preAction', async () => {
    if (Object.keys(settingsOf(update)).length === 0)
      update.error('error: say what to change, such as --plan business');
    await warnOfSharedSites(update.opts<SettingsOptions>().origins, terminal);
  });
  addChange(update, 'Updated', terminal, ({ administration }, by, id) =>
    administration.update(id, settingsOf(update), by),
  );

  const rotate = commandOnKey(
    'rotate',
    'give a key a new secret; the old one is accepted for a while longer',
    ROTATE_HELP,
  ).addOption(
    new Option('--overlap <time>', 'how long the old secret lives on: 30m, 24h, 7d; 0 ends it now')
      .argParser(options.parseOverlap)
      .default(24 * 60 * 60 * 1000, '24h'),
  );
  addChange(rotate, 'Rotated', terminal, ({ administration }, by, id) => {
    const { overlap } = rotate.opts<{ overlap: number }>();
    return administration.rotate(id, overlap, by);
  });

  const revoke = commandOnKey('revoke', 'revoke a key permanently', REVOKE_HELP);
  addChange(revoke, 'Revoked', terminal, ({ administration }, by, id) => administration.revoke(id, by));

  const unban = commandOnKey('unban', 'lift the temporary ban of a key', UNBAN_HELP);
  addChange(unban, 'Unbanned', terminal, async ({ administration, configuration }, by, id) => {
    const { liftBan } = await import('./rate-limit-status.js');
    await liftBan(id, configuration);
    return administration.unban(id, by);
  });
}

/** `https://*.github.io` means the pages of strangers, too. */
async function warnOfSharedSites(origins: readonly string[] = [], terminal: Terminal): Promise<void> {
  if (origins.length === 0) return;
  const { getPublicSuffix } = await import('tldts');
  for (const origin of origins) {
    const { hostname } = new URL(origin);
    const site = hostname.slice('*.'.length);
    if (!hostname.startsWith('*.') || getPublicSuffix(site, { allowPrivateDomains: true }) !== site) continue;
    terminal.err(
      `warning: anybody can have a site under ${site}: with ${origin} the key works there, too.\n`,
    );
  }
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
    .option('--scopes <list>', SCOPES, options.parseScopes)
    .option('--origins <list>', ORIGINS, options.parseOrigins)
    .option('--expires <when>', EXPIRES, options.parseExpiry, isNew ? 'never' : undefined)
    .option('--per-minute <n>', `${OWN_LIMITS} only: requests in any 60 seconds`, options.parseLimit)
    .option('--per-day <n>', `${OWN_LIMITS} only: requests in any 24 hours`, options.parseLimit);
}

/** Those settings that were given. */
function settingsOf(command: Command): Partial<NewKey> {
  const { name, plan, scopes, origins, expires, perMinute, perDay } = command.opts<SettingsOptions>();
  const limits = { ...(perMinute && { perMinute }), ...(perDay && { perDay }) };
  return {
    ...(name !== undefined && { name }),
    ...(plan && { plan }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(scopes && { scopes }),
    ...(origins && { origins }),
    ...(expires && { expiresAt: options.toDate(expires) }),
  };
}

/**
 * Adds what a command changes, and the options of every change.
 *
 * @param done what has been done, as a line begins: "Updated"
 * @param change gets the id that the command has as its argument; one that has none must not use it
 */
function addChange(
  command: Command,
  done: string,
  terminal: Terminal,
  change: (context: KeysContext, by: string, id: KeyId) => Promise<ChangedKey | IssuedKey>,
): void {
  command
    .option('--by <who>', 'who does this, for the audit', options.parseBy, terminal.user)
    .addOption(JSON_OPTION)
    .action(async () => {
      const { by, json } = command.opts<ChangeOptions>();
      const [id] = command.processedArgs as [KeyId];
      const { withKeys } = await import('./keys-context.js');
      const changed = await withKeys(terminal, (context) => change(context, by, id));
      const { changedText } = await import('./key.view.js');
      const secret = 'secret' in changed ? changed.secret : undefined;
      const shown = keySettingsJson(changed.key, new Date(), secret);
      const write = secret === undefined ? terminal.out : terminal.outSecret;
      write(json ? jsonLine(shown) : changedText(shown, done, changed.announced, terminal.paint));
    });
}
