import { PETSTORE_SCOPES } from '@petstore/api';
import { KeyId, type Scope, VisibleText } from '@petstore/api-key';
import { Plan, type PlanLimits } from '@petstore/rate-limit';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { parseDuration, parseMoment } from './moment.js';

// What several commands take. Each call makes a new one: commander keeps state in them.

export const idArgument = (): Argument =>
  new Argument('<id>', 'the key, as list shows it').argParser(parseKeyId);

export const byOption = (user: string): Option =>
  new Option('--by <who>', 'who does this, for the audit').argParser(parseBy).default(user);

export const planOption = (): Option => new Option('--plan <plan>', 'how much it may ask').choices(Plan.ALL);

export const scopesOption = (): Option =>
  new Option(
    '--scopes <list>',
    `what it may do, separated by commas: ${PETSTORE_SCOPES.all.join(', ')}`,
  ).argParser(parseScopes);

export const expiresOption = (): Option =>
  new Option('--expires <when>', '2027-01-31, 2027-01-31T18:00:00Z, 90d or never').argParser(parseExpiry);

export const limitOptions = (): Option[] => [
  new Option('--per-minute <n>', 'enterprise only: requests in any 60 seconds').argParser(parseLimit),
  new Option('--per-day <n>', 'enterprise only: requests in any 24 hours').argParser(parseLimit),
];

export const overlapOption = (): Option =>
  new Option('--overlap <time>', 'how long the old secret lives on: 30m, 24h, 7d; 0 ends it now')
    .argParser(parseOverlap)
    .default(24 * 60 * 60 * 1000, '24h');

/** Those of the two numbers of an enterprise key that were given. */
export function limitsOf({ perMinute, perDay }: Partial<PlanLimits>): Partial<PlanLimits> {
  return {
    ...(perMinute !== undefined && { perMinute }),
    ...(perDay !== undefined && { perDay }),
  };
}

/** When a key expires. */
export type Expiry = Date | 'never';

export function toDate(expiry: Expiry): Date | undefined {
  return expiry === 'never' ? undefined : expiry;
}

// Each reads what stands behind an option, or throws what commander then says about it.

export function parseKeyId(text: string): KeyId {
  const id = KeyId.parse(text);
  if (id !== undefined) return id;
  throw new InvalidArgumentError('An id looks like key_3Hq9uA7LmX0cTz5e; the command list shows them.');
}

function parseScopes(text: string): readonly Scope[] {
  return text.split(',').map((part) => {
    const scope = PETSTORE_SCOPES.find(part.trim());
    if (scope !== undefined) return scope;
    const allowed = new Intl.ListFormat('en-GB').format(PETSTORE_SCOPES.all);
    throw new InvalidArgumentError(`"${part}" is no scope. Allowed are ${allowed}, separated by a comma.`);
  });
}

function parseLimit(text: string): number {
  const value = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : 0;
  if (Plan.isLimit(value)) return value;
  throw new InvalidArgumentError(`A limit is a whole number from 1 to ${Plan.MAX_LIMIT}.`);
}

function parseExpiry(text: string): Expiry {
  if (text === 'never') return text;
  const ahead = parseDuration(text);
  const moment = ahead === undefined ? parseMoment(text) : new Date(Date.now() + ahead);
  if (moment !== undefined && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError(
    'Say a date (2027-01-31), a time with its zone (2027-01-31T18:00:00Z), a time from now (90d, 12h), or never.',
  );
}

/** Milliseconds. */
function parseOverlap(text: string): number {
  const duration = text === '0' ? 0 : parseDuration(text);
  if (duration !== undefined) return duration;
  throw new InvalidArgumentError('Say how long the old secret lives on: 24h, 30m, 7d, or 0 for not at all.');
}

function parseBy(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100 && VisibleText.flaw(name) === undefined) return name;
  throw new InvalidArgumentError('Say who does this in 1 to 100 visible characters on one line.');
}
