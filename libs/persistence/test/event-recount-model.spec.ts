import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, type PetId, PetStatus } from '@petstore/pet-domain';
import fc from 'fast-check';
import type { EventMaintenance } from '../src/event-maintenance/event-maintenance.js';
import { PostgresEventMaintenance } from '../src/event-maintenance/postgres-event-maintenance.js';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';
import { changePet, removePet } from './pets.js';
import { rexOf } from './questions.js';

let feed: Feed;
let maintenance: EventMaintenance;

beforeAll(async () => {
  feed = await Feed.start();
  maintenance = new PostgresEventMaintenance({ url: feed.postgres.url });
});
afterAll(() => feed.stop());
beforeEach(() => feed.reset());

const place = fc.record({
  categoryId: fc.constantFrom('1', '2', '3'),
  status: fc.constantFrom(...PetStatus.ALL),
});
const step = fc.oneof(
  { weight: 4, arbitrary: place.map((to) => ({ kind: 'add' as const, to })) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('change' as const), which: fc.nat(), to: place }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('sequence' as const), most: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('break' as const),
      to: place,
      animals: fc.integer({ min: -3, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('recount' as const) }) },
);

describe('a recount', () => {
  it('is right at any moment, whatever waits and whatever is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        await feed.reset();
        const ids: PetId[] = [];
        for (const one of steps) {
          switch (one.kind) {
            case 'add':
              ids.push((await feed.stores.pets.create(rexOf(one.to.categoryId, one.to.status))).id);
              break;
            case 'change': {
              const id = ids[one.which % ids.length];
              const patch = { categoryId: known(CategoryId.parse(one.to.categoryId)), status: one.to.status };
              // Not every status may follow on every other.
              if (id !== undefined) await changePet(feed.stores.unitOfWork, id, patch).catch(() => undefined);
              break;
            }
            case 'remove': {
              const [id] = ids.splice(one.which % Math.max(1, ids.length), 1);
              if (id !== undefined) await removePet(feed.stores.unitOfWork, id);
              break;
            }
            case 'sequence':
              await feed.stores.sequencing.sequence(one.most);
              break;
            case 'break':
              await feed.admin.query(
                `insert into inventory values ($1, $2, $3)
                 on conflict (category_id, status) do update set animals = excluded.animals`,
                [one.to.categoryId, one.to.status, one.animals],
              );
              break;
            case 'recount':
              await maintenance.recount();
          }
        }
        await maintenance.recount();
        expect((await maintenance.recount()).corrected).toBe(0);
        await feed.drain();
        await feed.expectRightInventory();
      }),
      { numRuns: 25 },
    );
  });
});
