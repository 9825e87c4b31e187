import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { PetEvent, PetName, type PetPatch } from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';
import { changePet, removePet } from './pets.js';
import { rex } from './questions.js';

let feed: Feed;

beforeAll(async () => {
  // The changes wait for each other, on a busy machine longer than requests may.
  feed = await Feed.start({ answerTimeoutMs: 20_000 });
});
afterAll(() => feed.stop());
beforeEach(() => feed.reset());

const named = (name: string): PetPatch => ({ name: known(PetName.parse(name)) });

it('many changes of one pet all succeed, each with one event that tells of the state before it', async () => {
  const { id } = await feed.stores.pets.create(rex);
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => changePet(feed.stores.unitOfWork, id, named(`Rex ${n}`))),
  );
  const events = await feed.expectLaws();
  expect(events).toHaveLength(41);
});

it('changes of one pet succeed up to its removal', async () => {
  const { id } = await feed.stores.pets.create(rex);
  const outcomes = await Promise.all([
    ...Array.from({ length: 10 }, (_, n) => changePet(feed.stores.unitOfWork, id, named(`Rex ${n}`))),
    removePet(feed.stores.unitOfWork, id),
    ...Array.from({ length: 10 }, (_, n) => changePet(feed.stores.unitOfWork, id, named(`Late ${n}`))),
  ]);
  expect(await removePet(feed.stores.unitOfWork, id)).toBe(false);
  const events = await feed.expectLaws();
  expect(events.at(-1)?.type).toBe('pet.deleted');
  expect(events).toHaveLength(1 + outcomes.filter(Boolean).length);
});

it('pets that are created by one statement have the events of creations that are made alone', async () => {
  const together = await Promise.all(Array.from({ length: 20 }, () => feed.stores.pets.create(rex)));
  await feed.stores.unitOfWork.run(async (tx) => {
    tx.emit(PetEvent.created(await tx.pets.insert(rex)));
  });
  const events = await feed.expectLaws();
  expect(events).toHaveLength(21);
  for (const { type, data } of events) {
    expect(type).toBe('pet.created');
    expect(data).toEqual({ pet: { ...rex, id: data.pet.id } });
  }
  expect(events.slice(0, 20).map(({ data }) => data.pet.id)).toEqual(together.map(({ id }) => id));
});
