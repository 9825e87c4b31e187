import { type ChangedKey, type IssuedKey, type KeyId, type KeyState } from '@petstore/api-key';
import { type JsonOptions, jsonLine, textLine } from '../output.js';
import type { Terminal } from '../terminal.js';
import { keyDetailsJson, keyJson, keySettingsJson } from './key.json.js';
import { changedText, detailsText, listText } from './key.view.js';
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
  terminal.out(json ? jsonLine(listed) : listText(listed, now));
}

/** Shows one key with its use and its changes. */
export async function showKey(id: KeyId, { json }: JsonOptions, terminal: Terminal): Promise<void> {
  const now = new Date();
  const shown = await withKeys(terminal, async ({ administration, configuration }) => {
    const { overview, audit } = await administration.show(id);
    return keyDetailsJson(overview, audit, await rateLimitStatusOf(id, configuration), now);
  });
  terminal.out(json ? jsonLine(shown) : detailsText(shown, now));
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
  const shown = keySettingsJson(changed.key, new Date(), secret);
  const write = secret === undefined ? terminal.out : terminal.outSecret;
  write(json ? jsonLine(shown) : changedText(shown, done, changed.announced));
}

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
