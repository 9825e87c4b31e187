import type { KeyId, KeyState } from '@petstore/api-key';
import { Option } from 'commander';
import { command } from '../command.js';
import { detailsText } from './details.view.js';
import { keyDetailsJson, keyJson } from './key.json.js';
import { listText } from './list.view.js';
import * as options from './options.js';
import { rateLimitStatusOf } from './rate-limit-status.js';
import { withKeys } from './with-keys.js';

export const listCommand = command({
  name: 'list',
  description: 'every key, its plan, and how much of it is used',
  help: `
TODAY compares the requests admitted since midnight (UTC) with the plan's day; REFUSED counts those that got 429.
Both are a few seconds behind at most. "show" adds what the limiter says at this moment. Below the table stand the
keys that still need the previous pepper ("pepper": "previous" in JSON).

Examples:
  $ npm run key -- list
  $ npm run key -- list --state active
  $ npm run --silent key -- list --json | jq '.[] | select(.today.refused > 0) | .id'`,
  takes: () => [
    new Option('--state <state>', 'only keys in this state').choices(['active', 'expired', 'revoked']),
  ],
  run: async ({ state }: { readonly state?: KeyState }, terminal) => {
    const now = new Date();
    const all = await withKeys(terminal, ({ administration }) => administration.list());
    return { now, keys: all.filter(({ key }) => state === undefined || key.stateAt(now) === state) };
  },
  json: ({ keys, now }) => keys.map((overview) => keyJson(overview, now)),
  text: ({ keys, now }, terminal) => listText(keys, now, terminal),
});

export const showCommand = command({
  name: 'show',
  description: 'one key: settings, secrets, use, every change',
  help: `
Shows the settings, the secrets in use (never more of one than its last four characters), the requests of the
last seven days, what the limiter says at this moment where Redis keeps the counters, and every change: when,
what, by whom.

Example:
  $ npm run key -- show key_3Hq9uA7LmX0cTz5e`,
  takes: () => [options.idArgument()],
  run: ({ id }: { readonly id: KeyId }, terminal) =>
    withKeys(terminal, async ({ administration, configuration }) => {
      const shown = await administration.show(id);
      return { ...shown, rateLimit: await rateLimitStatusOf(shown.overview.key, configuration) };
    }),
  json: (details) => keyDetailsJson(details, new Date()),
  text: (details, terminal) => detailsText(details, new Date(), terminal),
});
