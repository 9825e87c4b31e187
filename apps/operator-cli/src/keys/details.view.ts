import { type AuditEntry, type KeyOverview, type KeySecret, VisibleText } from '@petstore/api-key';
import type { Terminal } from '../terminal/terminal.js';
import { admitted, banInForce, type KeyDetails, today } from './key.json.js';
import { type Palette, palette } from '../view/palette.js';
import { table } from '../view/table.js';
import { usageBar } from './usage-bar.js';
import { distance, hintText, moment, planText, stateText, wholeNumber } from '../view/format.js';

export function detailsText(details: KeyDetails, now: Date, terminal: Terminal): string {
  const paint = palette(terminal);
  const { overview, audit } = details;
  return [
    table(facts(details, now, paint)),
    section('Secrets', overview.key.secretsAt(now).map(secretRow), paint),
    section('Use', useRows(overview, paint), paint),
    section('Changes', audit.map(auditRow), paint),
  ].join('\n');
}

function facts({ overview, rateLimit }: KeyDetails, now: Date, paint: Palette): string[][] {
  const { key, lastUsedAt } = overview;
  const { name, plan, scopes, expiresAt } = key.settings;
  const bannedUntil = banInForce(rateLimit ? rateLimit.bannedUntil : overview.bannedUntil, now);
  const state = stateText(key.stateAt(now), bannedUntil, now, paint);
  const rows = [
    ['Key', `${key.id}  ${paint('bold', VisibleText.escape(name))}`],
    ['State', key.revokedAt === undefined ? state : `${state} ${moment(key.revokedAt)}`],
    ['Plan', planText(plan)],
    ['Scopes', scopes.join(' ')],
    ['Created', moment(key.createdAt)],
    ['Expires', expiresAt === undefined ? 'never' : moment(expiresAt)],
    ['Last used', lastUsedAt === undefined ? 'never' : ago(lastUsedAt, now)],
    ['Today', usageBar(admitted(today(overview, now)), plan.limits.perDay, paint)],
  ];
  if (rateLimit !== undefined) {
    rows.push(['Last 60 s', usageBar(rateLimit.minuteUsed, plan.limits.perMinute, paint)]);
    rows.push(['Last 24 h', usageBar(rateLimit.dayUsed, plan.limits.perDay, paint)]);
  }
  if (bannedUntil !== undefined) {
    rows.push(['Banned', `until ${moment(bannedUntil)}; lift it: npm run key -- unban ${key.id}`]);
  }
  return rows.map(([label = '', value = '']) => [paint('dim', label), value]);
}

function ago(date: Date, now: Date): string {
  return `${moment(date)} (${distance(now.getTime() - date.getTime())} ago)`;
}

function section(title: string, rows: string[][], paint: Palette): string {
  const body = rows.length === 0 ? [['none']] : rows;
  return `${paint('bold', title)}\n${table(body.map((row) => [`  ${row[0] ?? ''}`, ...row.slice(1)]))}`;
}

function secretRow({ hint, createdAt, validUntil }: KeySecret): string[] {
  return [
    hintText(hint),
    `made ${moment(createdAt)}`,
    validUntil === undefined ? 'in force' : `valid until ${moment(validUntil)}`,
  ];
}

function useRows({ days, key }: KeyOverview, paint: Palette): string[][] {
  return days.map((use) => [
    use.day,
    usageBar(admitted(use), key.settings.plan.limits.perDay, paint),
    use.refused === 0 ? '' : paint('yellow', `${wholeNumber(use.refused)} refused`),
  ]);
}

function auditRow({ at, action, by, details }: AuditEntry): string[] {
  const words = Object.entries(details).map(([field, value]) => `${field}: ${value}`);
  return [moment(at), action, `by ${VisibleText.escape(by)}`, VisibleText.escape(words.join('; '))];
}
