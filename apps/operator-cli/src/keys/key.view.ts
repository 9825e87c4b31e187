import { type KeyDay, type KeyState, type PepperStatus, VisibleText } from '@petstore/api-key';
import type { RateLimits } from '@petstore/rate-limit';
import { ago, bar, distance, moment, type Palette, wholeNumber } from '../output.js';
import { factTable, listTable, table } from '../tables.js';
import type { KeyDetailsJson, KeyJson, KeySettingsJson } from './key.json.js';
import { limitsText } from './plans.js';

const HEADINGS = ['ID', 'NAME', 'KEY', 'KIND', 'PLAN', 'STATE', 'TODAY', 'REFUSED', 'LAST USED', 'EXPIRES'];

const NOTHING = 'There is no key. Issue one: npm run key -- create --name "Shop website" --plan pro\n';

/** What a person reads of all keys. @param state of which they are; of any unless given */
export function listText(keys: readonly KeyJson[], now: Date, paint: Palette, state?: KeyState): string {
  if (keys.length === 0) return state === undefined ? NOTHING : `No key is ${state}.\n`;
  const rows = keys.map((key) => [
    key.id,
    VisibleText.escape(key.name),
    paint('dim', key.secrets.slice(-1).map(hintText).join('')),
    key.kind,
    key.plan,
    stateText(key, now, paint),
    dayText(key.today, key.limits, paint),
    key.today.refused === 0 ? '0' : paint('yellow', wholeNumber(key.today.refused)),
    key.lastUsedAt === null ? 'never' : ago(key.lastUsedAt, now),
    momentOrNever(key.expiresAt),
  ]);
  return [
    listTable(paint, HEADINGS, rows),
    pepperNote(keys, 'previous', 'need API_KEY_PEPPER_PREVIOUS; rotate them before you remove it'),
    pepperNote(keys, 'unknown', 'are refused: they were issued under a pepper that is not configured'),
  ].join('');
}

/** Which keys were issued under another pepper than the current one; revoked ones need none. */
function pepperNote(keys: readonly KeyJson[], status: PepperStatus, what: string): string {
  const concerned = keys.filter(({ pepper, state }) => pepper === status && state !== 'revoked');
  return concerned.length === 0
    ? ''
    : `\nThese keys ${what}:\n  ${concerned.map(({ id }) => id).join('\n  ')}\n`;
}

/** What a person reads of one key. */
export function detailsText(key: KeyDetailsJson, now: Date, paint: Palette): string {
  const { lastUsedAt, today, limits, bannedUntil, state } = key;
  const facts: [string, string][] = [
    ['Key', `${key.id}  ${paint('bold', VisibleText.escape(key.name))}`],
    ...settingFacts(key, now, paint),
    ['Created', moment(key.createdAt)],
    ['Last used', lastUsedAt === null ? 'never' : `${moment(lastUsedAt)} (${ago(lastUsedAt, now)})`],
    ['Today', dayText(today, limits, paint)],
  ];
  if (key.now !== undefined) {
    facts.push(['Last 60 s', usageBar(key.now.lastMinute, limits?.perMinute, paint)]);
    facts.push(['Last 24 h', usageBar(key.now.lastDay, limits?.perDay, paint)]);
  }
  if (bannedUntil !== null)
    facts.push(['Banned', `until ${moment(bannedUntil)}; lift it: npm run key -- unban ${key.id}`]);
  // The secrets of a key that is not active are not accepted.
  const secrets = key.secrets.map(({ createdAt, validUntil, ...secret }) => {
    const own = validUntil === null ? 'in force' : `valid until ${moment(validUntil)}`;
    return [hintText(secret), `made ${moment(createdAt)}`, state === 'active' ? own : state];
  });
  const days = key.days.map((day) => [
    day.day,
    dayText(day, limits, paint),
    day.refused === 0 ? '' : paint('yellow', `${wholeNumber(day.refused)} refused`),
  ]);
  const changes = key.audit.map(({ at, action, by, details }) => {
    const words = Object.entries(details).map(([field, value]) => `${field}: ${value}`);
    return [moment(at), action, `by ${VisibleText.escape(by)}`, VisibleText.escape(words.join('; '))];
  });
  const section = (title: string, [first = ['none'], ...rows]: string[][]): string =>
    `${paint('bold', title)}\n${indented([first, ...rows])}`;
  return [
    factTable(paint, facts),
    section('Secrets', secrets),
    section('Use', days),
    section('Changes', changes),
  ].join('\n');
}

/** What a person reads after a change. @param done what has been done, as a line begins: "Updated" */
export function changedText(
  key: KeySettingsJson,
  done: string,
  isAnnounced: boolean,
  paint: Palette,
): string {
  const facts = settingFacts(key, new Date(), paint).map(([label, value]) => [label.toLowerCase(), value]);
  const reach = isAnnounced
    ? 'Running services have been told; one that was not reached follows within 10 seconds.'
    : 'Running services follow within 10 seconds.';
  const rest = key.key === undefined ? `${paint('dim', reach)}\n` : secretText(key, key.key, paint);
  return `${done} ${key.id} ${paint('bold', VisibleText.escape(key.name))}\n${indented(facts)}${rest}`;
}

const indented = (rows: readonly string[][]): string =>
  table(rows.map(([first = '', ...others]) => [`  ${first}`, ...others]));

function settingFacts(
  key: KeySettingsJson & Partial<Pick<KeyJson, 'bannedUntil'>>,
  now: Date,
  paint: Palette,
): [string, string][] {
  const { revokedAt, plan, limits, kind, origins, scopes, expiresAt } = key;
  const state = stateText(key, now, paint);
  return [
    ['State', revokedAt === null ? state : `${state} ${moment(revokedAt)}`],
    ['Plan', `${plan} (${limits === null ? 'not known to this version' : limitsText(limits)})`],
    ['Kind', kind],
    ...(origins.length === 0 ? [] : [['Origins', origins.join(' ')] as [string, string]]),
    ['Scopes', scopes.join(' ')],
    ['Expires', momentOrNever(expiresAt)],
  ];
}

/** The secret of a key that was issued or rotated: this once. */
function secretText({ secrets }: KeySettingsJson, secret: string, paint: Palette): string {
  // The secret in force has no end: that is the new one.
  const old = secrets.flatMap(({ validUntil, ...hint }) =>
    validUntil === null ? [] : `The key ${hintText(hint)} goes on working until ${moment(validUntil)}.\n`,
  );
  return [
    `\n  ${paint('bold', secret)}\n\n`,
    'This is the only time the key is shown: keep it now. Clients send it as\n',
    '  Authorization: Bearer <key>\n',
    ...old,
  ].join('');
}

function momentOrNever(date: Date | null): string {
  return date === null ? 'never' : moment(date);
}

/** `pet_live_...x9Qd`; what little may be shown of a key. */
function hintText({ prefix, lastFour }: { readonly prefix: string; readonly lastFour: string }): string {
  return `${prefix}...${lastFour}`;
}

const STATE_STYLES = { active: 'green', expired: 'dim', revoked: 'red' } as const;

function stateText(
  { state, bannedUntil = null }: Pick<KeyJson, 'state'> & Partial<Pick<KeyJson, 'bannedUntil'>>,
  now: Date,
  paint: Palette,
): string {
  return state === 'active' && bannedUntil !== null
    ? paint('red', `banned ${distance(bannedUntil.getTime() - now.getTime())}`)
    : paint(STATE_STYLES[state], state);
}

/** Requests that count towards the plan: refused ones do not. */
function dayText({ requests, refused }: KeyDay, limits: RateLimits | null, paint: Palette): string {
  return usageBar(requests - refused, limits?.perDay, paint);
}

const BAR_CELLS = 10;

/** Share of the limit from which an operator is warned. */
const NEAR = 0.8;

/** `███░░░░░░░ 312 / 1,000`: how much of a limit is used; the number alone without one. */
function usageBar(used: number, limit: number | undefined, paint: Palette): string {
  if (limit === undefined) return wholeNumber(used);
  const share = Math.min(1, used / limit);
  // Any use shows at least one cell, and all cells show only at the limit.
  const partial = Math.min(BAR_CELLS - 1, Math.max(1, Math.round(share * BAR_CELLS)));
  const cells = used === 0 ? 0 : share >= 1 ? BAR_CELLS : partial;
  const style = share >= 1 ? 'red' : share >= NEAR ? 'yellow' : 'green';
  return `${bar(cells, BAR_CELLS, style, paint)} ${wholeNumber(used)} / ${wholeNumber(limit)}`;
}
