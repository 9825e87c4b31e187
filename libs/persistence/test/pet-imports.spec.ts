import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { NewPet } from '@petstore/pet-domain';
import { Feed } from './feed.js';
import { outcomeOf, tally } from './outcomes.js';
import { rexOf } from './questions.js';

const FINGERPRINT = 'ab'.repeat(32);

let feed: Feed;

beforeAll(async () => {
  feed = await Feed.start();
});
afterAll(() => feed.stop());
beforeEach(async () => {
  await feed.admin.query('truncate pet_imports');
  await feed.reset();
});

const pets = (count: number): NewPet[] => Array.from({ length: count }, (_, n) => rexOf(String(n + 1)));

it('adds each part once, with an event for each pet, in their order', async () => {
  const { petImports } = feed.stores;
  const begun = { fingerprint: FINGERPRINT, records: 0, animals: 0, isFinished: false };
  expect(await petImports.begin('t', FINGERPRINT)).toEqual(begun);
  await petImports.add('t', { after: 0, upTo: 1_200, pets: pets(1_000) });
  await petImports.add('t', { after: 1_200, upTo: 1_300, pets: [] });
  expect(await outcomeOf(petImports.add('t', { after: 0, upTo: 1_200, pets: pets(1) }))).toBe(
    'PetImportBusyError',
  );
  expect(await outcomeOf(petImports.finish('t', 1_200))).toBe('PetImportBusyError');
  await petImports.finish('t', 1_300);
  expect(await outcomeOf(petImports.add('t', { after: 1_300, upTo: 1_301, pets: pets(1) }))).toBe(
    'PetImportBusyError',
  );
  // Another file under the same token: told by the fingerprint that it was begun with.
  expect(await petImports.begin('t', 'cd'.repeat(32))).toEqual({
    fingerprint: FINGERPRINT,
    records: 1_300,
    animals: 1_000,
    isFinished: true,
  });
  const events = await feed.expectLaws();
  expect(events.map(({ data }) => data.pet.categoryId)).toEqual(
    pets(1_000).map(({ categoryId }) => categoryId),
  );
});

it('lets one of several runs add a part', async () => {
  const { petImports } = feed.stores;
  await petImports.begin('t', FINGERPRINT);
  const runs = Array.from({ length: 6 }, () =>
    outcomeOf(petImports.add('t', { after: 0, upTo: 10, pets: pets(10) })),
  );
  expect(tally(await Promise.all(runs))).toEqual({ ok: 1, PetImportBusyError: 5 });
  expect(await feed.expectLaws()).toHaveLength(10);
});

it('keeps nothing of a part that cannot be added', async () => {
  const { petImports } = feed.stores;
  await petImports.begin('t', FINGERPRINT);
  const bad = { ...rexOf('1'), status: 'lost' } as unknown as NewPet;
  await expect(petImports.add('t', { after: 0, upTo: 2, pets: [rexOf('1'), bad] })).rejects.toThrow(
    'pets_status_known',
  );
  expect(await petImports.begin('t', FINGERPRINT)).toMatchObject({ records: 0, animals: 0 });
  expect(await feed.expectLaws()).toEqual([]);
});
