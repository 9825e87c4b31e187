import type { KeyHash } from '@petstore/api-key';
import { EventPosition, type EventVisibility } from '@petstore/event-feed';
import { OPEN_STATUSES, OrderId, type OrderStatus } from '@petstore/order-domain';
import { PET_SEARCH, type PetFilter, PetStatus } from '@petstore/pet-domain';
import { DeliveryStatus } from '@petstore/webhook';
import type { Client } from 'pg';
import { KeyLookupStore } from '../src/api-keys/key-lookup.store.js';
import { feedQuery } from '../src/events/feed.queries.js';
import { FIND_ORDER, orderPageQuery, PREVIEW_PLACEMENT } from '../src/orders/order.queries.js';
import { FIND_PET, FIND_PROFILE, petPageQuery, petsByIdsQuery } from '../src/pets/pet.queries.js';
import { known } from '../src/testing/known.js';
import { PAGES } from '../src/webhooks/delivery.queries.js';
import { categoryOf, idOf } from './pet-actions.js';
import { type Query, sentBy } from './query-plan.js';

/** What a statement of the pipelined pool may cost, however long the tables are. */
export interface Case {
  readonly name: string;
  readonly query: Query;
  /** Of all scans, in any order. */
  readonly indexes: readonly string[];
  /** Most pages of tables and indexes that it looks at, and most rows that it reads and throws away. */
  readonly pages: number;
  readonly thrownAway?: number;
}

const LIMIT = 21;
/** Pages of one way down an index, and the page of the table that it leads to. */
const WAY = 4;

/** Animals, orders and events that the long tables have; other statements have half of it or less. */
const ROWS = 60_000;

/**
 * As the statistics of a large table are when nearly all rows have one value: the planner takes it that a condition of the
 * first column of an index leaves none of them out.
 */
export async function seemOfOneKind(session: Client): Promise<void> {
  await session.query(`alter table pets alter category_id set (n_distinct = 1);
    alter table orders alter key_id set (n_distinct = 1);
    alter table webhook_deliveries alter webhook_id set (n_distinct = 1)`);
  await session.query('analyze');
}

/**
 * Makes all tables long, with the worst case for each filter: nearly all rows are of one kind, and the few others came
 * first, or are by the ten thousands apart.
 */
export async function fill(session: Client): Promise<void> {
  const statements = [
    `insert into api_keys (id, name, plan, scopes, created_at)
     select 'key_' || n, 'test', 'free', '{webhooks:manage}', now() from generate_series(1, 5000) n`,
    `insert into api_key_secrets (hash, pepper_id, key_id, prefix, last_four, created_at)
     select 'hash' || n, '', 'key_' || n, '', '', now() from generate_series(1, 5000) n`,
    `insert into api_key_usage select 'key_' || key, (now() at time zone 'UTC')::date - n, 1, 0
     from generate_series(1, 100) key, generate_series(0, 399) n`,
    // Category 2 has few animals everywhere, 3 and all statuses but one have few among the oldest. In each of 11 to 13 a
    // status has nearly all, another one ten, and the third none.
    `insert into pets (name, category_id, status)
     select 'Pet ' || n,
       case when n % 1000 = 0 then 2 when n % 2 = 0 and n <= 400 then 3 when n % 4 = 0 then 11 + n / 4 % 3 else 1 end,
       case when n % 4 = 0 and n > 400 and n % 1000 <> 0
         then (array['available', 'pending', 'sold'])[1 + (n / 4 + (n % 5000 = 4)::int) % 3]
         when n <= 500 then 'available' when n <= 600 then 'pending' else 'sold' end
     from generate_series(1, ${ROWS}) n`,
    // Every second animal is described.
    `insert into pet_profiles select n, '{"species":"dog"}', now() from generate_series(2, ${ROWS}, 2) n`,
    // The animal 700 has 400 orders; key_1 has few. Of key_3 nearly all are cancelled, ten declined, and none is in another status.
    `insert into orders (pet_id, key_id, status, expires_at)
     select case when n <= 600 then n when n <= 1000 then 700 else n end,
       case when n % 1000 < 5 then 'key_1' when n % 3 = 0 and n > 1000 then 'key_3' else 'key_2' end,
       case when n <= 500 then 'placed' when n <= 600 then 'approved' when n % 1000 < 5 or n % 3 > 0 or n <= 1000 then 'returned'
         when n % 2700 = 6 then 'declined' else 'cancelled' end,
       case when n <= 600 then now() + interval '1 day' end
     from generate_series(1, ${ROWS / 2}) n`,
    `insert into events select n, 'x', case when n % 20000 = 7 then 'pet' else 'order' end,
       case when n % 20000 = 7 then null when n % 15000 = 8 then 'key_1' else 'key_2' end,
       '{"id":' || n || '}', now() from generate_series(1, ${ROWS}) n`,
    `update event_head set position = ${ROWS}`,
    `insert into webhooks (key_id, url, status)
     select 'key_1', 'https://' || n || '.example/', 'enabled' from generate_series(1, 3) n`,
    `insert into webhook_deliveries (webhook_id, position, type, status)
     select case when n <= 500 then 2 else 1 end, n, 'pet.updated',
       case when n % 1000 = 0 then 'failed' else 'delivered' end
     from generate_series(1, ${ROWS / 2}) n`,
  ];
  for (const statement of statements) await session.query(statement);
}

/** Every combination of one value of each list. */
const combine = <A, B, C = undefined>(
  as: readonly A[],
  bs: readonly B[],
  cs: readonly C[] = [undefined as C],
): (readonly [A, B, C])[] => as.flatMap((a) => bs.flatMap((b) => cs.map((c) => [a, b, c] as const)));
const times = (count: number, index: string): string[] => Array<string>(count).fill(index);
const optional = <T>(parse: (text: string) => T, text: string | undefined): T | undefined =>
  text === undefined ? undefined : parse(text);

const petPages = combine(
  [undefined, ...PetStatus.ALL],
  [undefined, '1', '2', '5', '11', '12', '13'],
  [undefined, '30000', '550', '1'],
)
  // Profiles are joined to each row by one index, wherever the page begins.
  .flatMap((filter) =>
    filter[2] === '550'
      ? [[...filter, false] as const, [...filter, true] as const]
      : [[...filter, false] as const],
  )
  .map(([status, category, position, withProfiles]): Case => {
    const ofStatus = status === undefined ? 'pets_pkey' : 'pets_status_id';
    // All of a category are merged of one scan for each status.
    const scans = category !== undefined && status === undefined ? PetStatus.ALL.length : 1;
    return {
      name: `a page of pets, category ${category}, ${status}, before ${position}, profiles ${withProfiles}`,
      query: petPageQuery({
        ...{ limit: LIMIT - 1, status, include: withProfiles ? ['profile'] : undefined },
        ...{ categoryId: optional(categoryOf, category), before: optional(idOf, position) },
      }),
      indexes: [
        ...times(scans, category === undefined ? ofStatus : 'pets_category_status_id'),
        ...times(withProfiles ? scans : 0, 'pet_profiles_pkey'),
      ],
      pages: LIMIT + 10 + scans * WAY + (withProfiles ? (LIMIT + scans) * WAY : 0),
    };
  });

const petsByIds = combine([false, true], [
  {},
  { status: 'sold' },
  { categoryId: categoryOf(1) },
  { status: 'available', categoryId: categoryOf(3) },
  { sex: ['male'] },
  { text: known(PET_SEARCH.text.parse('dog')) },
] satisfies PetFilter[]).map(([withProfiles, filter]): Case => {
  const ids = Array.from({ length: 100 }, (_, n) => idOf(1 + n * 599));
  const query = petsByIdsQuery({ ids, include: withProfiles ? ['profile'] : undefined, ...filter });
  // Words are looked up in another table, where they are searched.
  const profiles = withProfiles ? 2 : 1;
  return {
    name: `${query[0].name}, ${JSON.stringify(filter)}`,
    query,
    indexes: ['pets_pkey', ...times(profiles, 'pet_profiles_pkey')],
    pages: 1 + (1 + profiles) * ids.length * WAY,
    thrownAway: ids.length,
  };
});

const orderPages = combine(
  [undefined, 'key_1', 'key_2', 'key_3'],
  [undefined, 'approved', 'placed', 'declined', 'returned', 'expired'] satisfies (OrderStatus | undefined)[],
  [undefined, '15000', '550'],
).map(([keyId, status, position]): Case => {
  const visibility = keyId === undefined ? 'all' : { keyId };
  const before = optional((text) => known(OrderId.parse(text)), position);
  const of = `${keyId === undefined ? '' : '_key'}${status === undefined ? '' : '_status'}`;
  return {
    name: `a page of orders, ${keyId}, ${status}, before ${position}`,
    query: orderPageQuery({ visibility, status, before }, LIMIT),
    indexes: [`orders${of === '' ? '_pkey' : of}`],
    pages: LIMIT + 10,
  };
});

const ordersOfPets = combine(['all', { keyId: 'key_1' }] as const, [undefined, 'returned'] as const, [
  ...['3', '700', '50000'],
]).map(([visibility, status, pet]): Case => ({
  name: `orders of pet ${pet}, ${status}`,
  query: orderPageQuery({ visibility, status, petId: idOf(pet) }, LIMIT),
  indexes: ['orders_pet'],
  pages: 400,
  thrownAway: 400,
}));

const eventPages = combine<EventVisibility, undefined | string>(
  [
    { resources: ['pet', 'category', 'order'] },
    { resources: ['pet'] },
    { resources: ['pet', 'category'], audience: 'key_1' },
  ],
  [undefined, '0', '100', '40006', '59990', 'latest'],
).map(([visibility, position]): Case => {
  const after =
    position === undefined || position === 'latest' ? position : known(EventPosition.parse(position));
  const query = feedQuery({ after, limit: LIMIT, visibility });
  const name = `events of ${visibility.resources.join()}, ${visibility.audience}, after ${position}`;
  if (query[0].name === 'events_page') return { name, query, indexes: ['events_pkey'], pages: LIMIT + 15 };
  return { name, query, indexes: ['events_resource', 'events_audience'], pages: 2 * LIMIT + 20 };
});

const deliveryPages = combine(
  [undefined, ...DeliveryStatus.ALL],
  ['1', '2', '3'],
  [...['9223372036854775807', '15000', '300']],
).map(([status, endpoint, before]): Case => {
  const scans = status === undefined ? DeliveryStatus.ALL.length : 1;
  return {
    name: `deliveries of endpoint ${endpoint}, ${status}, before ${before}`,
    query: [PAGES[status ?? 'all'], [endpoint, String(LIMIT), before, 'key_1']],
    indexes: times(scans, 'webhook_deliveries_list'),
    pages: scans * (LIMIT + 12),
  };
});

const findKey = await sentBy((_, database) => new KeyLookupStore(database).find('hash1' as KeyHash));

/** Of single rows, each with a way down one index or a few. Counting open orders ends at the limit. */
const rows = (
  [
    [FIND_PET, ['15000'], ['pets_pkey'], 6],
    [FIND_PROFILE, ['15000'], ['pets_pkey', 'pet_profiles_pkey'], 12],
    [FIND_ORDER, ['30000', null], ['orders_pkey'], 6],
    [FIND_ORDER, ['29999', 'key_2'], ['orders_pkey'], 6],
    [
      PREVIEW_PLACEMENT,
      ['key_2', OPEN_STATUSES, 100, '3', 'token'],
      ['idempotent_requests_pkey', 'orders_key_status', 'pets_pkey'],
      150,
    ],
    [...findKey, ['api_key_secrets_pkey', 'api_keys_pkey'], 20],
  ] as const
).map(([statement, values, indexes, pages]): Case => ({
  name: `${statement.name} ${values.join()}`,
  query: [statement, values],
  indexes,
  pages,
}));

export const CASES: readonly Case[] = [
  ...[petPages, petsByIds, orderPages, ordersOfPets, eventPages, deliveryPages, rows].flat(),
];
