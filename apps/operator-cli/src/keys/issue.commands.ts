import { PETSTORE_SCOPES } from '@petstore/api';
import type { KeyId, Scope } from '@petstore/api-key';
import type { PlanLimits, PlanName } from '@petstore/rate-limit';
import { Option } from 'commander';
import { command } from '../command.js';
import { issuedText } from './change.view.js';
import { issuedJson } from './key.json.js';
import * as options from './options.js';
import { withKeys } from './with-keys.js';

interface CreateOptions extends Partial<PlanLimits> {
  readonly name: string;
  readonly plan: PlanName;
  readonly scopes?: readonly Scope[];
  readonly expires: options.Expiry;
  readonly by: string;
}

export const createCommand = command({
  name: 'create',
  description: 'issue a key',
  help: `
Examples:
  $ npm run key -- create --name "Shop website" --plan pro
  $ npm run key -- create --name "Price board" --plan free --scopes pets:read --expires 90d
  $ npm run key -- create --name "Shelter site" --plan pro --scopes pets:read,orders:read,orders:write
  $ npm run key -- create --name "Partner" --plan enterprise --per-minute 5000 --per-day 2000000

Without --scopes a key has ${PETSTORE_SCOPES.defaults.join(' and ')}.

The key is shown once, on standard output, and kept nowhere: only its hash is. Under --json the object
printed holds it as "key".`,
  takes: ({ user }) => [
    new Option('--name <name>', 'whose it is, for people').makeOptionMandatory(),
    options.planOption().makeOptionMandatory(),
    options.scopesOption(),
    options.expiresOption().default('never'),
    ...options.limitOptions(),
    options.byOption(user),
  ],
  run: ({ name, plan, scopes, expires, by, ...given }: CreateOptions, terminal) =>
    withKeys(terminal, ({ administration }) =>
      administration.create(
        {
          name,
          plan,
          limits: options.limitsOf(given),
          ...(scopes && { scopes }),
          expiresAt: options.toDate(expires),
        },
        by,
      ),
    ),
  json: issuedJson,
  text: (issued, terminal) => issuedText(issued, 'Created', terminal),
});

interface RotateOptions {
  readonly id: KeyId;
  readonly overlap: number;
  readonly by: string;
}

export const rotateCommand = command({
  name: 'rotate',
  description: 'give a key a new secret; the old one is accepted for a while longer',
  help: `
Gives the key a new secret, shown once. Id, settings and counters stay: old and new secret share the plan's
limits. The client changes over while both work.

Examples:
  $ npm run key -- rotate key_3Hq9uA7LmX0cTz5e                  the old secret works for 24 more hours
  $ npm run key -- rotate key_3Hq9uA7LmX0cTz5e --overlap 7d
  $ npm run key -- rotate key_3Hq9uA7LmX0cTz5e --overlap 0      it has leaked: end it now`,
  takes: ({ user }) => [options.idArgument(), options.overlapOption(), options.byOption(user)],
  run: ({ id, overlap, by }: RotateOptions, terminal) =>
    withKeys(terminal, ({ administration }) => administration.rotate(id, overlap, by)),
  json: issuedJson,
  text: (issued, terminal) => issuedText(issued, 'Rotated', terminal),
});
