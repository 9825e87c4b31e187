import { KeyId, type Scope, VisibleText } from '@petstore/api-key';
import { Plan } from '@petstore/rate-limit';
import { PETSTORE_SCOPES } from '@petstore/api';
import { InvalidArgumentError } from 'commander';
import { parseDuration, parseMoment } from './moment.js';

// Each reads what stands behind an option, or throws what commander then says about it.

export function keyId(text: string): KeyId {
  const id = KeyId.parse(text);
  if (id !== undefined) return id;
  throw new InvalidArgumentError('An id looks like key_3Hq9uA7LmX0cTz5e; the command list shows them.');
}

export function scopes(text: string): readonly Scope[] {
  return text.split(',').map((part) => {
    const scope = PETSTORE_SCOPES.find(part.trim());
    if (scope !== undefined) return scope;
    throw new InvalidArgumentError(
      `"${part}" is no scope. Allowed are ${inWords(PETSTORE_SCOPES.all)}, separated by a comma.`,
    );
  });
}

/** `a`, `a and b`, `a, b and c`. */
function inWords(scopes: readonly Scope[]): string {
  return new Intl.ListFormat('en-GB').format(scopes);
}

export function limit(text: string): number {
  const value = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : 0;
  if (Plan.isLimit(value)) return value;
  throw new InvalidArgumentError(`A limit is a whole number from 1 to ${Plan.MAX_LIMIT}.`);
}

/** When a key expires. */
export type Expiry = Date | 'never';

export function expiry(text: string): Expiry {
  if (text === 'never') return text;
  const ahead = parseDuration(text);
  const moment = ahead === undefined ? parseMoment(text) : new Date(Date.now() + ahead);
  if (moment !== undefined && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError(
    'Say a date (2027-01-31), a time with its zone (2027-01-31T18:00:00Z), a time from now (90d, 12h), or never.',
  );
}

export function toDate(expiry: Expiry): Date | undefined {
  return expiry === 'never' ? undefined : expiry;
}

/** Milliseconds. */
export function overlap(text: string): number {
  const duration = text === '0' ? 0 : parseDuration(text);
  if (duration !== undefined) return duration;
  throw new InvalidArgumentError('Say how long the old secret lives on: 24h, 30m, 7d, or 0 for not at all.');
}

export function by(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100 && VisibleText.flaw(name) === undefined) return name;
  throw new InvalidArgumentError('Say who does this in 1 to 100 visible characters on one line.');
}
