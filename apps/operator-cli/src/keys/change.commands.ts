import { type KeyId, type Scope, utcDay } from '@petstore/api-key';
import { PostgresKeyUsageStore } from '@petstore/persistence';
import type { PlanLimits, PlanName } from '@petstore/rate-limit';
import { Option } from 'commander';
import { command } from '../command.js';
import { changedText } from './change.view.js';
import { changedJson } from './key.json.js';
import * as options from './options.js';
import { liftBan } from './rate-limit-status.js';
import { withKeys } from './with-keys.js';

interface UpdateOptions extends Partial<PlanLimits> {
  readonly id: KeyId;
  readonly name?: string;
  readonly plan?: PlanName;
  readonly scopes?: readonly Scope[];
  readonly expires?: options.Expiry;
  readonly by: string;
}

export const updateCommand = command({
  name: 'update',
  description: 'change plan, limits, scopes, expiry or name',
  help: `
What is left out stays. The key goes on without a break, and what it has used already still counts.

Examples:
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --plan business
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --plan enterprise --per-minute 5000 --per-day 2000000
  $ npm run key -- update key_3Hq9uA7LmX0cTz5e --scopes pets:read --expires never`,
  takes: ({ user }) => [
    options.idArgument(),
    new Option('--name <name>', 'whose it is, for people'),
    options.planOption(),
    options.scopesOption(),
    options.expiresOption(),
    ...options.limitOptions(),
    options.byOption(user),
  ],
  run: ({ id, by, name, plan, scopes, expires, ...given }: UpdateOptions, terminal, refuse) => {
    const limits = options.limitsOf(given);
    const changes = {
      ...(name !== undefined && { name }),
      ...(plan !== undefined && { plan }),
      ...(Object.keys(limits).length > 0 && { limits }),
      ...(scopes !== undefined && { scopes }),
      ...(expires !== undefined && { expiresAt: options.toDate(expires) }),
    };
    if (Object.keys(changes).length === 0) refuse('error: say what to change, such as --plan business');
    return withKeys(terminal, ({ administration }) => administration.update(id, changes, by));
  },
  json: changedJson,
  text: (changed, terminal) => changedText(changed, 'Updated', terminal),
});

interface ChangeOptions {
  readonly id: KeyId;
  readonly by: string;
}

export const revokeCommand = command({
  name: 'revoke',
  description: 'revoke a key permanently',
  help: `
Every secret of the key is refused from then on, within 10 seconds everywhere, and there is no way back. To
replace a secret that has leaked, "rotate --overlap 0" keeps the key.

Example:
  $ npm run key -- revoke key_3Hq9uA7LmX0cTz5e`,
  takes: ({ user }) => [options.idArgument(), options.byOption(user)],
  run: ({ id, by }: ChangeOptions, terminal) =>
    withKeys(terminal, ({ administration }) => administration.revoke(id, by)),
  json: changedJson,
  text: (changed, terminal) => changedText(changed, 'Revoked', terminal),
});

export const unbanCommand = command({
  name: 'unban',
  description: 'lift the temporary ban of a key',
  help: `
A key that goes on sending after being refused is banned for 5 minutes, longer each time. This ends the ban
and forgets the refusals before it; the plan's limits hold as ever.

Example:
  $ npm run key -- unban key_3Hq9uA7LmX0cTz5e`,
  takes: ({ user }) => [options.idArgument(), options.byOption(user)],
  run: ({ id, by }: ChangeOptions, terminal) =>
    withKeys(terminal, async ({ administration, configuration, database }) => {
      await liftBan(id, configuration);
      const unbanned = await administration.unban(id, by);
      // What list and show go by, where the service has written it down.
      const today = { day: utcDay(new Date()), requests: 0, refused: 0, lastUsedAt: undefined };
      await new PostgresKeyUsageStore(database).add([{ keyId: id, ...today, bannedUntil: null }]);
      return unbanned;
    }),
  json: changedJson,
  text: (changed, terminal) => changedText(changed, 'Unbanned', terminal),
});
