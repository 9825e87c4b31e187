import { beforeAll, expect, it } from '@jest/globals';
import { type PetId, PetStatus } from '@petstore/pet-domain';
import fc from 'fast-check';
import { EventMaintenance } from '../src/events/event.maintenance.js';
import { repeatDuring } from './outcomes.js';
import { categoryOf, changePet, nameOf, removePet, rex, rexOf } from './pet-actions.js';
import { TestDatabase } from './test-database.js';

const db = new TestDatabase();
let maintenance: EventMaintenance;
beforeAll(() => {
  maintenance = new EventMaintenance({ url: db.postgres.url });
});

const place = fc.record({
  categoryId: fc.constantFrom('1', '2', '3'),
  status: fc.constantFrom(...PetStatus.ALL),
});
const which = fc.nat(20);
const kind = <Kind extends string>(name: Kind) => ({ kind: fc.constant(name) });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...kind('add'), to: place }) },
  { weight: 4, arbitrary: fc.record({ ...kind('change'), which, to: place, renamed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ...kind('remove'), which }) },
  { weight: 2, arbitrary: fc.record({ ...kind('sequence'), max: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record(kind('recount')) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Does one step with the animals of these ids. */
async function perform(one: Step, ids: PetId[]): Promise<void> {
  const { stores } = db;
  if (one.kind === 'sequence') await stores.sequencing.sequence(one.max);
  else if (one.kind === 'recount') expect((await maintenance.recount()).corrected).toBe(0);
  else if (one.kind === 'add')
    ids.push((await stores.pets.create(rexOf(one.to.categoryId, one.to.status))).id);
  else {
    const id = ids[one.which % Math.max(1, ids.length)];
    if (id === undefined) return;
    if (one.kind === 'remove') await removePet(stores, id);
    else {
      const patch = { categoryId: categoryOf(one.to.categoryId), status: one.to.status };
      // Not every status may follow on every other.
      await changePet(stores, id, one.renamed ? { ...patch, name: nameOf('Max') } : patch).catch(
        () => undefined,
      );
    }
  }
}

it('the counters are always what the table says, also after a recount, whatever was wrong and whatever waits', async () => {
  const broken = fc.array(fc.tuple(place, fc.integer({ min: -3, max: 3 })), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), broken, async (steps, wrong) => {
      await db.reset();
      const ids: PetId[] = [];
      for (const one of steps) await perform(one, ids);
      expect((await maintenance.recount()).corrected).toBe(0);
      // Nothing is left of a category that no animal has any more.
      expect(await db.count('inventory where animals = 0')).toBe(0);
      for (const [{ categoryId, status }, animals] of wrong)
        await db.query(
          `insert into inventory values ($1, $2, $3)
           on conflict (category_id, status) do update set animals = excluded.animals`,
          [categoryId, status, animals],
        );
      await maintenance.recount();
      expect((await maintenance.recount()).corrected).toBe(0);
      await db.expectLaws();
    }),
    { numRuns: 15 },
  );
});

it('a recount is right while others write and sequence without a pause', async () => {
  const { stores } = db;
  const recounts = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) expect((await maintenance.recount()).corrected).toBe(0);
  };
  const write = async (category: string): Promise<void> => {
    const pets = await Promise.all(Array.from({ length: 5 }, () => stores.pets.create(rexOf(category))));
    await Promise.all(pets.slice(1).map(({ id }) => changePet(stores, id, { status: 'sold' })));
    await Promise.all(pets.slice(3).map(({ id }) => removePet(stores, id)));
  };
  const recounted = recounts();
  await Promise.all([
    repeatDuring(recounted, () => write('1')),
    repeatDuring(recounted, () => stores.sequencing.sequence(7)),
  ]);
  await db.drain();
  await db.expectRightInventory();
});

it('a recount lets others write meanwhile, and says what was wrong', async () => {
  await db.query(`insert into inventory values (5, 'pending', 9223372036854775807)`);
  await db.query('begin; lock table inventory in access exclusive mode');
  const recount = maintenance.recount();
  await db.untilBlocked();
  const { id } = await db.stores.pets.create(rex);
  await changePet(db.stores, id, { status: 'sold' });
  await removePet(db.stores, id);
  await db.query('commit');
  expect(await recount).toEqual({
    animals: '0',
    corrected: 1,
    corrections: [{ categoryId: '5', status: 'pending', was: '9223372036854775807', animals: '0' }],
  });
});

it('a recount waits for a batch that is being sequenced, so that it counts none of it twice', async () => {
  await db.stores.pets.create(rex);
  await db.query('begin; select from event_head for update');
  await db.query(
    `with moved as (delete from outbox returning id) update event_head set position = position + 1`,
  );
  await db.query(`insert into inventory values (1, 'available', 1), (0, 'available', 1)`);
  const recount = maintenance.recount();
  await db.untilBlocked();
  await db.query('commit');
  expect(await recount).toEqual({ animals: '1', corrected: 0, corrections: [] });
});
