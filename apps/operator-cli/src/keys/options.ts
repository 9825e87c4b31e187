import { KeyId, VisibleText } from '@petstore/api-key';
import { Day, integer } from '@petstore/pet-domain';
import { MAX_LIMIT } from '@petstore/rate-limit';
import { InvalidArgumentError } from 'commander';
import { parserOf } from '../values.js';

// Each reads the value of an argument or option, or throws what commander then says about it.

export function parseKeyId(text: string): KeyId {
  const id = KeyId.parse(text);
  if (id !== undefined) return id;
  throw new InvalidArgumentError('An id looks like key_3Hq9uA7LmX0cTz5e; the command list shows them.');
}

export function parseEntries(text: string): readonly string[] {
  return text.split(',').map((entry) => entry.trim());
}

export const parseLimit = parserOf(integer({ least: 1, most: MAX_LIMIT }), 'A limit');

export function parseExpiry(text: string): Date | 'never' {
  if (text === 'never') return text;
  const ahead = parseDuration(text);
  const moment = ahead === undefined ? parseMoment(text) : new Date(Date.now() + ahead);
  if (moment !== undefined && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError(
    'Say a date (2027-01-31), a time with its zone (2027-01-31T18:00:00Z), a time from now (90d, 12h), or never.',
  );
}

/** Milliseconds. */
export function parseOverlap(text: string): number {
  const duration = text === '0' ? 0 : parseDuration(text);
  if (duration !== undefined) return duration;
  throw new InvalidArgumentError('Say how long the old secret lives on: 24h, 30m, 7d, or 0 for not at all.');
}

export function parseBy(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100 && VisibleText.hiddenCharacter(name) === undefined) return name;
  throw new InvalidArgumentError('Say who does this in 1 to 100 visible characters on one line.');
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a text such as `90s`, `30m`, `24h` or `7d`; `undefined` for anything else. */
function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  return size === undefined ? undefined : Number(count) * size;
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * A date of ISO 8601, which means its first moment in UTC, or a time with its zone. A time without one would mean another
 * moment on another machine, so it is none. An invalid date for an hour that no day has.
 */
function parseMoment(text: string): Date | undefined {
  const [, day = ''] = ISO.exec(text) ?? [];
  return Day.parse(day) === undefined ? undefined : new Date(text);
}
