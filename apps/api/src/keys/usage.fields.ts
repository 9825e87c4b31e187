import { Scope } from '@petstore/api-key';
import {
  Day,
  described,
  INSTANT,
  integer,
  listOf,
  optional,
  resourceOf,
  text,
  titled,
  type ValueOf,
} from '@petstore/pet-domain';
import { HISTORY_DAYS } from '@petstore/persistence';
import { MAX_LIMIT } from '@petstore/rate-limit';
import { KEY_ID } from '../access/key-id.value.js';
import { EXAMPLE_LIMITS, PETSTORE_PLANS } from '../access/petstore-plans.js';

const LIMIT = integer({ least: 1, most: MAX_LIMIT });
/** Fits into a double: no key makes 2^53 requests in a day. */
const REQUESTS = integer({ least: 0, most: Number.MAX_SAFE_INTEGER });

/** A text that operators have given, which nobody sends here. */
const given = (schema: { readonly maxLength: number; readonly pattern: string }) =>
  text({ kind: 'text', description: 'a text', parse: (sent) => sent, schema });

const SCOPE = given({ maxLength: Scope.MAX_LENGTH, pattern: Scope.PATTERN });

const LIMIT_FIELDS = {
  perMinute: described(LIMIT, 'In any 60 seconds.', EXAMPLE_LIMITS.perMinute),
  perDay: described(LIMIT, 'In any 24 hours.', EXAMPLE_LIMITS.perDay),
};

const DAY_FIELDS = {
  date: text<string>({
    description: 'a day',
    parse: (sent) => Day.parse(sent),
    schema: { format: 'date', maxLength: 10, example: '2026-11-21' },
  }),
  requests: described(REQUESTS, 'Requests with this key, those that were refused included.', 931),
  refused: described(REQUESTS, 'Of these, how many were refused with 429.', 4),
};

const DAY = described(
  titled('UsageDay', resourceOf(DAY_FIELDS)),
  'One day, from midnight to midnight in UTC.',
);

/** All of it, in the order of its JSON. */
export const USAGE_FIELDS = {
  keyId: described(
    KEY_ID,
    'Names the key to its operator and in orders; no secret, and the same after a rotation.',
  ),
  // A name that SQL has written may hold any character that the database can.
  name: described(
    given({ maxLength: 100, pattern: '^[^\\u0000]+$' }),
    'What the operator calls the key.',
    'Shop website',
  ),
  plan: described(
    given({ maxLength: 64, pattern: '^[a-z]+$' }),
    `${PETSTORE_PLANS.all.map((plan) => `\`${plan}\``).join(', ')}; more may be added.`,
    'free',
  ),
  scopes: described(
    listOf(SCOPE, { least: 0, most: 64, description: 'a list of scopes' }),
    'What the key may do.',
    ['pets:read', 'pets:write'],
  ),
  expiresAt: optional(
    described(INSTANT, 'When the key expires; absent if it never does.', '2027-11-21T00:00:00.000Z'),
  ),
  limits: described(
    titled('UsageLimits', resourceOf(LIMIT_FIELDS)),
    'How many requests the key may send, over all operations together.',
    EXAMPLE_LIMITS,
  ),
  days: described(
    listOf(DAY, { least: 0, most: HISTORY_DAYS, description: 'a list of days' }),
    `Those of the last ${HISTORY_DAYS} days, today included, on which the key was used, newest first.`,
    [
      { date: '2026-11-21', requests: 931, refused: 4 },
      { date: '2026-11-20', requests: 1_012, refused: 12 },
    ],
  ),
};

/** The key of a request, and how it is used. */
export const USAGE = described(
  titled('Usage', resourceOf(USAGE_FIELDS)),
  'The key that the request came with, and how it was used.',
);

export type Usage = ValueOf<typeof USAGE>;
