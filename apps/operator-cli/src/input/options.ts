import { Plan } from '@petstore/rate-limit';
import { PETSTORE_SCOPES } from '@petstore/api';
import { Argument, Option } from 'commander';
import * as values from './option-values.js';

// What several commands take. Each call makes a new one: commander keeps state in them.

export const idArgument = (): Argument =>
  new Argument('<id>', 'the key, as list shows it').argParser(values.keyId);

export const jsonOption = (): Option =>
  new Option('--json', 'print JSON on one line, for scripts').default(false);

export const byOption = (user: string): Option =>
  new Option('--by <who>', 'who does this, for the audit').argParser(values.by).default(user);

export const planOption = (): Option => new Option('--plan <plan>', 'how much it may ask').choices(Plan.ALL);

export const scopesOption = (): Option =>
  new Option(
    '--scopes <list>',
    `what it may do, separated by commas: ${PETSTORE_SCOPES.all.join(', ')}`,
  ).argParser(values.scopes);

export const expiresOption = (): Option =>
  new Option('--expires <when>', '2027-01-31, 2027-01-31T18:00:00Z, 90d or never').argParser(values.expiry);

export const perMinuteOption = (): Option =>
  new Option('--per-minute <n>', 'enterprise only: requests in any 60 seconds').argParser(values.limit);

export const perDayOption = (): Option =>
  new Option('--per-day <n>', 'enterprise only: requests in any 24 hours').argParser(values.limit);

export const overlapOption = (): Option =>
  new Option('--overlap <time>', 'how long the old secret lives on: 30m, 24h, 7d; 0 ends it now')
    .argParser(values.overlap)
    .default(24 * 60 * 60 * 1000, '24h');
