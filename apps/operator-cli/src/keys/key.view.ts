import type { KeyDay, PepperStatus } from '@petstore/api-key';
import type { RateLimits } from '@petstore/rate-limit';
import { ago, distance, moment, wholeNumber } from '../output.js';
import { table } from '../table.js';
import type { KeyDetailsJson, KeyJson, KeySettingsJson } from './key.json.js';
import { limitsText } from './plans.js';

const HEADINGS = ['ID', 'NAME', 'KEY', 'KIND', 'PLAN', 'STATE', 'TODAY', 'REFUSED', 'LAST USED', 'EXPIRES'];

/** What a person reads of many keys. */
export function listText(keys: readonly KeyJson[], now: Date): string {
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.secrets.slice(-1).map(hintText).join(''),
    key.kind,
    key.plan,
    stateText(key, now),
    dayText(key.today, key.limits),
    wholeNumber(key.today.refused),
    key.lastUsedAt === null ? 'never' : ago(key.lastUsedAt, now),
    key.expiresAt === null ? 'never' : moment(key.expiresAt),
  ]);
  return [
    table([HEADINGS, ...rows]),
    pepperNote(keys, 'previous', 'need API_KEY_PEPPER_PREVIOUS; rotate them before you remove it'),
    pepperNote(keys, 'unknown', 'are refused: they were issued under a pepper that is not configured'),
  ].join('');
}

/** Which keys were issued under another pepper than the current one; revoked ones need none. */
function pepperNote(keys: readonly KeyJson[], status: PepperStatus, what: string): string {
  const concerned = keys.filter(({ pepper, state }) => pepper === status && state !== 'revoked');
  if (concerned.length === 0) return '';
  return `\nThese keys ${what}:\n  ${concerned.map(({ id }) => id).join('\n  ')}\n`;
}

/** What a person reads of one key. */
export function detailsText(key: KeyDetailsJson, now: Date): string {
  const { lastUsedAt, limits, bannedUntil, state } = key;
  const facts = [
    ...settingFacts(key, now),
    ['Created', moment(key.createdAt)],
    ['Last used', lastUsedAt === null ? 'never' : `${moment(lastUsedAt)} (${ago(lastUsedAt, now)})`],
    ['Today', dayText(key.today, limits)],
  ];
  if (key.now !== undefined)
    facts.push(
      ['Last 60 s', usedText(key.now.lastMinute, limits?.perMinute)],
      ['Last 24 h', usedText(key.now.lastDay, limits?.perDay)],
    );
  if (bannedUntil !== null)
    facts.push(['Banned', `until ${moment(bannedUntil)}; lift it: npm run key -- unban ${key.id}`]);
  // The secrets of a key that is not active are not accepted.
  const secrets = key.secrets.map(({ createdAt, validUntil, ...secret }) => {
    const own = validUntil === null ? 'in force' : `valid until ${moment(validUntil)}`;
    return [hintText(secret), `made ${moment(createdAt)}`, state === 'active' ? own : state];
  });
  const days = key.days.map((day) => [
    day.day,
    dayText(day, limits),
    day.refused === 0 ? '' : `${wholeNumber(day.refused)} refused`,
  ]);
  const changes = key.audit.map(({ at, action, by, details }) => {
    const words = Object.entries(details).map(([field, value]) => `${field}: ${value}`);
    return [moment(at), action, `by ${by}`, words.join('; ')];
  });
  return `${table(facts)}\nSecrets\n${table(secrets)}\nUse\n${table(days)}\nChanges\n${table(changes)}`;
}

/** What a person reads after a change. @param done what has been done, as a line begins: "Updated" */
export function changedText(key: KeySettingsJson, done: string, isAnnounced: boolean): string {
  const reach = isAnnounced ? 'have been told' : 'follow within 10 seconds';
  const facts = `${done}. Running services ${reach}.\n\n${table(settingFacts(key, new Date()))}`;
  if (key.key === undefined) return facts;
  // The secret in force has no end: that is the new one.
  const old = key.secrets.flatMap(({ validUntil, ...hint }) =>
    validUntil === null ? [] : `The key ${hintText(hint)} goes on working until ${moment(validUntil)}.\n`,
  );
  return [
    facts,
    `\n  ${key.key}\n\n`,
    'This is the only time the key is shown: keep it now. Clients send it as\n',
    '  Authorization: Bearer <key>\n',
    ...old,
  ].join('');
}

function settingFacts(
  key: KeySettingsJson & Partial<Pick<KeyJson, 'bannedUntil'>>,
  now: Date,
): (readonly string[])[] {
  const { revokedAt, plan, limits, kind, origins, scopes, expiresAt } = key;
  const state = stateText(key, now);
  return [
    ['Key', `${key.id}  ${key.name}`],
    ['State', revokedAt === null ? state : `${state} ${moment(revokedAt)}`],
    ['Plan', `${plan} (${limits === null ? 'not known to this version' : limitsText(limits)})`],
    ['Kind', kind],
    ...(origins.length === 0 ? [] : [['Origins', origins.join(' ')]]),
    ['Scopes', scopes.join(' ')],
    ['Expires', expiresAt === null ? 'never' : moment(expiresAt)],
  ];
}

/** `pet_live_...x9Qd`; what little may be shown of a key. */
function hintText({ prefix, lastFour }: { readonly prefix: string; readonly lastFour: string }): string {
  return `${prefix}...${lastFour}`;
}

function stateText(
  { state, bannedUntil = null }: Pick<KeyJson, 'state'> & Partial<Pick<KeyJson, 'bannedUntil'>>,
  now: Date,
): string {
  if (state !== 'active' || bannedUntil === null) return state;
  return `banned ${distance(bannedUntil.getTime() - now.getTime())}`;
}

/** Requests that count towards the plan: refused ones do not. */
function dayText({ requests, refused }: KeyDay, limits: RateLimits | null): string {
  return usedText(requests - refused, limits?.perDay);
}

/** `312 / 1,000`: how much of a limit is used; the number alone without one. */
function usedText(used: number, limit: number | undefined): string {
  return limit === undefined ? wholeNumber(used) : `${wholeNumber(used)} / ${wholeNumber(limit)}`;
}
