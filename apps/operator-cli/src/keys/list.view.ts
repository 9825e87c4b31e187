import { type KeyReport, type PepperStatus, VisibleText } from '@petstore/api-key';
import type { Terminal } from '../terminal/terminal.js';
import { admitted, today } from './key.json.js';
import { palette } from '../view/palette.js';
import { table } from '../view/table.js';
import { usageBar } from './usage-bar.js';
import { distance, hintText, moment, stateText, wholeNumber } from '../view/format.js';

const HEADINGS = ['ID', 'NAME', 'KEY', 'PLAN', 'STATE', 'TODAY', 'REFUSED', 'LAST USED', 'EXPIRES'];

const NOTHING = 'There is no key. Issue one: npm run key -- create --name "Shop website" --plan pro\n';

export function listText(keys: readonly KeyReport[], now: Date, terminal: Terminal): string {
  if (keys.length === 0) return NOTHING;
  const paint = palette(terminal);
  const rows = keys.map((overview) => {
    const { key, lastUsedAt, bannedUntil } = overview;
    const { name, plan, expiresAt } = key.settings;
    const day = today(overview, now);
    const secret = key.secrets.at(-1);
    return [
      key.id,
      VisibleText.escape(name),
      secret === undefined ? '' : paint('dim', hintText(secret.hint)),
      plan.name,
      stateText(key.stateAt(now), bannedUntil, now, paint),
      usageBar(admitted(day), plan.limits.perDay, paint),
      day.refused === 0 ? '0' : paint('yellow', wholeNumber(day.refused)),
      lastUsedAt === undefined ? 'never' : `${distance(now.getTime() - lastUsedAt.getTime())} ago`,
      expiresAt === undefined ? 'never' : moment(expiresAt),
    ];
  });
  return [
    table([HEADINGS.map((heading) => paint('bold', heading)), ...rows]),
    note(keys, 'previous', 'need API_KEY_PEPPER_PREVIOUS; rotate them before you remove it'),
    note(keys, 'unknown', 'are refused: they were issued under a pepper that is not configured'),
  ].join('');
}

/** Which keys hang on another pepper than the current one; revoked ones need none. */
function note(keys: readonly KeyReport[], status: PepperStatus, what: string): string {
  const concerned = keys.filter(({ key, pepper }) => pepper === status && key.revokedAt === undefined);
  return concerned.length === 0
    ? ''
    : `\nThese keys ${what}:\n  ${concerned.map(({ key }) => key.id).join('\n  ')}\n`;
}
