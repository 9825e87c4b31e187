import {
  type AuditEntry,
  type ChangedKey,
  type IssuedKey,
  type KeyHint,
  type KeyOverview,
  type KeyReport,
  type KeySecret,
  type KeyState,
  type PepperStatus,
  VisibleText,
} from '@petstore/api-key';
import { ago, bar, distance, moment, type Palette, wholeNumber } from '../output.js';
import { factTable, listTable, table } from '../tables.js';
import { admitted, banInForce, type KeyDetails, today } from './key.json.js';
import { limitsOf, planText } from './plans.js';

const HEADINGS = ['ID', 'NAME', 'KEY', 'KIND', 'PLAN', 'STATE', 'TODAY', 'REFUSED', 'LAST USED', 'EXPIRES'];

const NOTHING = 'There is no key. Issue one: npm run key -- create --name "Shop website" --plan pro\n';

/** What a person reads of all keys. @param state of which they are; of any unless given */
export function listText(keys: readonly KeyReport[], now: Date, paint: Palette, state?: KeyState): string {
  if (keys.length === 0) return state === undefined ? NOTHING : `No key is ${state}.\n`;
  const rows = keys.map((overview) => {
    const { key, lastUsedAt, bannedUntil } = overview;
    const { name, plan, expiresAt } = key.settings;
    const day = today(overview, now);
    const secret = key.secrets.at(-1);
    return [
      key.id,
      VisibleText.escape(name),
      secret === undefined ? '' : paint('dim', hintText(secret.hint)),
      key.kind,
      plan.name,
      stateText(key.stateAt(now), bannedUntil, now, paint),
      usageBar(admitted(day), limitsOf(plan)?.perDay, paint),
      day.refused === 0 ? '0' : paint('yellow', wholeNumber(day.refused)),
      lastUsedAt === undefined ? 'never' : ago(lastUsedAt, now),
      momentOrNever(expiresAt),
    ];
  });
  return [
    listTable(paint, HEADINGS, rows),
    pepperNote(keys, 'previous', 'need API_KEY_PEPPER_PREVIOUS; rotate them before you remove it'),
    pepperNote(keys, 'unknown', 'are refused: they were issued under a pepper that is not configured'),
  ].join('');
}

/** Which keys were issued under another pepper than the current one; revoked ones need none. */
function pepperNote(keys: readonly KeyReport[], status: PepperStatus, what: string): string {
  const concerned = keys.filter(({ key, pepper }) => pepper === status && key.revokedAt === undefined);
  return concerned.length === 0
    ? ''
    : `\nThese keys ${what}:\n  ${concerned.map(({ key }) => key.id).join('\n  ')}\n`;
}

/** What a person reads of one key. */
export function detailsText(details: KeyDetails, now: Date, paint: Palette): string {
  const { overview, audit } = details;
  return [
    factTable(paint, facts(details, now, paint)),
    section(
      'Secrets',
      overview.key.secretsAt(now).map((each) => secretRow(each, overview.key.stateAt(now))),
      paint,
    ),
    section('Use', useRows(overview, paint), paint),
    section('Changes', audit.map(auditRow), paint),
  ].join('\n');
}

function facts({ overview, rateLimit }: KeyDetails, now: Date, paint: Palette): [string, string][] {
  const { key, lastUsedAt } = overview;
  const { name, plan, scopes, expiresAt, origins } = key.settings;
  const bannedUntil = banInForce(rateLimit ? rateLimit.bannedUntil : overview.bannedUntil, now);
  const state = stateText(key.stateAt(now), bannedUntil, now, paint);
  const rows: [string, string][] = [
    ['Key', `${key.id}  ${paint('bold', VisibleText.escape(name))}`],
    ['State', key.revokedAt === undefined ? state : `${state} ${moment(key.revokedAt)}`],
    ['Plan', planText(plan)],
    ['Kind', key.kind],
    ...(origins === undefined ? [] : [['Origins', origins.entries.join(' ')] as [string, string]]),
    ['Scopes', scopes.join(' ')],
    ['Created', moment(key.createdAt)],
    ['Expires', momentOrNever(expiresAt)],
    ['Last used', lastUsedAt === undefined ? 'never' : `${moment(lastUsedAt)} (${ago(lastUsedAt, now)})`],
    ['Today', usageBar(admitted(today(overview, now)), limitsOf(plan)?.perDay, paint)],
  ];
  if (rateLimit !== undefined) {
    rows.push(['Last 60 s', usageBar(rateLimit.minuteUsed, limitsOf(plan)?.perMinute, paint)]);
    rows.push(['Last 24 h', usageBar(rateLimit.dayUsed, limitsOf(plan)?.perDay, paint)]);
  }
  if (bannedUntil !== undefined) {
    rows.push(['Banned', `until ${moment(bannedUntil)}; lift it: npm run key -- unban ${key.id}`]);
  }
  return rows;
}

function section(title: string, rows: string[][], paint: Palette): string {
  const body = rows.length === 0 ? [['none']] : rows;
  return `${paint('bold', title)}\n${table(body.map((row) => [`  ${row[0] ?? ''}`, ...row.slice(1)]))}`;
}

/** @param state of the key: the secrets of one that is not active are not accepted */
function secretRow({ hint, createdAt, validUntil }: KeySecret, state: keyof typeof STATE_STYLES): string[] {
  const ownState = validUntil === undefined ? 'in force' : `valid until ${moment(validUntil)}`;
  return [hintText(hint), `made ${moment(createdAt)}`, state === 'active' ? ownState : state];
}

function useRows({ days, key }: KeyOverview, paint: Palette): string[][] {
  return days.map((use) => [
    use.day,
    usageBar(admitted(use), limitsOf(key.settings.plan)?.perDay, paint),
    use.refused === 0 ? '' : paint('yellow', `${wholeNumber(use.refused)} refused`),
  ]);
}

function auditRow({ at, action, by, details }: AuditEntry): string[] {
  const words = Object.entries(details).map(([field, value]) => `${field}: ${value}`);
  return [moment(at), action, `by ${VisibleText.escape(by)}`, VisibleText.escape(words.join('; '))];
}

/** What a person reads after a change. */
export function changedText(changed: ChangedKey | IssuedKey, done: string, paint: Palette): string {
  const now = new Date();
  const { id, settings } = changed.key;
  const rows = table([
    ['  state', stateText(changed.key.stateAt(now), undefined, now, paint)],
    ['  plan', planText(settings.plan)],
    ['  kind', changed.key.kind],
    ...(settings.origins === undefined ? [] : [['  origins', settings.origins.entries.join(' ')]]),
    ['  scopes', settings.scopes.join(' ')],
    ['  expires', momentOrNever(settings.expiresAt)],
  ]);
  const rest = 'secret' in changed ? secretText(changed, now, paint) : reachText(changed, paint);
  return `${done} ${id} ${paint('bold', VisibleText.escape(settings.name))}\n${rows}${rest}`;
}

function reachText({ announced }: ChangedKey, paint: Palette): string {
  const reach = announced
    ? 'Running services have been told; one that was not reached follows within 10 seconds.'
    : 'Running services follow within 10 seconds.';
  return `${paint('dim', reach)}\n`;
}

/** The secret of a key that was issued or rotated: this once. */
function secretText({ key, secret }: IssuedKey, now: Date, paint: Palette): string {
  const old = key.secretsAt(now).flatMap(({ hint, validUntil }) =>
    // The secret in force has no end: that is the new one.
    validUntil === undefined
      ? []
      : [`The key ${hintText(hint)} goes on working until ${moment(validUntil)}.\n`],
  );
  return [
    `\n  ${paint('bold', secret)}\n\n`,
    'This is the only time the key is shown: keep it now. Clients send it as\n',
    '  Authorization: Bearer <key>\n',
    ...old,
  ].join('');
}

function momentOrNever(date: Date | undefined): string {
  return date === undefined ? 'never' : moment(date);
}

/** `pet_live_...x9Qd`; what little may be shown of a key. */
function hintText({ prefix, lastFour }: KeyHint): string {
  return `${prefix}...${lastFour}`;
}

const STATE_STYLES = { active: 'green', expired: 'dim', revoked: 'red' } as const;

function stateText(state: KeyState, bannedUntil: Date | undefined, now: Date, paint: Palette): string {
  if (state === 'active' && bannedUntil !== undefined && bannedUntil > now) {
    return paint('red', `banned ${distance(bannedUntil.getTime() - now.getTime())}`);
  }
  return paint(STATE_STYLES[state], state);
}

const BAR_CELLS = 10;

/** Share of the limit from which an operator is warned. */
const NEAR = 0.8;

/** `███░░░░░░░ 312 / 1,000`: how much of a limit is used; the number alone without one. */
export function usageBar(used: number, limit: number | undefined, paint: Palette): string {
  if (limit === undefined) return wholeNumber(used);
  const share = Math.min(1, used / limit);
  // Any use shows at least one cell, and all cells show only at the limit.
  const partial = Math.min(BAR_CELLS - 1, Math.max(1, Math.round(share * BAR_CELLS)));
  const cells = used === 0 ? 0 : share >= 1 ? BAR_CELLS : partial;
  const style = share >= 1 ? 'red' : share >= NEAR ? 'yellow' : 'green';
  return `${bar(cells, BAR_CELLS, style, paint)} ${wholeNumber(used)} / ${wholeNumber(limit)}`;
}
