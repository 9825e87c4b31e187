import type { ChangedKey, IssuedKey, KeyId, KeyState } from '@petstore/api-key';
import { type JsonOptions, textLine, wholeNumber } from '../output.js';
import { resultText } from '../result.js';
import type { Terminal } from '../terminal.js';
import { keyJson, keySettingsJson } from './key.json.js';
import { type KeysContext, withKeys } from './keys-context.js';
import { rateLimitStatusOf } from './limiter.js';

/** Shows all keys, or those in a state. */
export async function listKeys(
  { state, json }: JsonOptions & { readonly state?: KeyState },
  terminal: Terminal,
): Promise<void> {
  const now = new Date();
  const all = await withKeys(terminal, ({ administration }) => administration.list());
  const listed = all
    .map((report) => keyJson(report, now))
    .filter((key) => state === undefined || key.state === state);
  terminal.out(resultText(json ? listed : listed.map(rowOf), json));
}

/** A key in a table. */
function rowOf(key: ReturnType<typeof keyJson>): object {
  const { id, name, secrets, kind, plan, limits, state, today, lastUsedAt, expiresAt, bannedUntil, pepper } =
    key;
  const hints = secrets.map(({ prefix, lastFour }) => `${prefix}...${lastFour}`);
  // Requests that count towards the plan: refused ones do not.
  const used = wholeNumber(today.requests - today.refused);
  return {
    ...{ id, name, key: hints.at(-1), kind, plan, state },
    today: limits === null ? used : `${used} / ${wholeNumber(limits.perDay)}`,
    refused: today.refused,
    ...{ lastUsedAt, expiresAt, bannedUntil, pepper },
  };
}

/** Shows one key with its use and its changes. */
export async function showKey(id: KeyId, { json }: JsonOptions, terminal: Terminal): Promise<void> {
  const shown = await withKeys(terminal, async ({ administration, configuration }) => {
    const { overview, audit } = await administration.show(id);
    return {
      ...keyJson(overview, new Date()),
      // Where the counters are in the processes of the service, or Redis is unavailable, the rest is shown.
      ...(await rateLimitStatusOf(id, configuration)),
      days: overview.days,
      audit: audit.map(({ at, action, by, details }) => ({ at, action, by, details })),
    };
  });
  terminal.out(resultText(shown, json));
}

/**
 * Changes a key, and shows what it is then.
 *
 * @param done what has been done, as a line begins: "Updated"
 * @param origins that were given
 */
export async function changeKey(
  done: string,
  { json, origins }: JsonOptions & { readonly origins?: readonly string[] },
  terminal: Terminal,
  change: (context: KeysContext) => Promise<ChangedKey | IssuedKey>,
): Promise<void> {
  const changed = await withKeys(terminal, change);
  if (origins !== undefined) await warnOfSharedSites(changed.key.settings.origins?.entries ?? [], terminal);
  const secret = 'secret' in changed ? changed.secret : undefined;
  const shown = resultText(keySettingsJson(changed.key, new Date(), secret), json);
  const reach = changed.announced ? 'have been told' : 'follow within 10 seconds';
  const head = json ? '' : `${done}. Running services ${reach}.\n\n`;
  if (secret === undefined) terminal.out(head + shown);
  else terminal.outSecret(head + shown + (json ? '' : ONCE));
}

const ONCE = '\nThis is the only time the key is shown. Clients send it as Authorization: Bearer <key>\n';

/** `https://*.github.io` means the pages of strangers, too. */
async function warnOfSharedSites(origins: readonly string[], { err }: Terminal): Promise<void> {
  const { getPublicSuffix } = await import('tldts');
  for (const origin of origins) {
    const { hostname } = new URL(origin);
    const site = hostname.slice('*.'.length);
    if (!hostname.startsWith('*.') || getPublicSuffix(site, { allowPrivateDomains: true }) !== site) continue;
    err(textLine(`warning: anybody can have a site under ${site}: with ${origin} the key works there, too.`));
  }
}
