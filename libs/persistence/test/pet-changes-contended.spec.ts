import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Pet, PetName } from '@petstore/pet-domain';
import { Feed } from './feed.js';
import { rex } from './questions.js';

let feed: Feed;

beforeAll(async () => {
  feed = await Feed.start();
});
afterAll(() => feed.stop());
beforeEach(() => feed.reset());

const MANY = 150;

it('many changes of one animal do not keep others from their transactions', async () => {
  const { pets, unitOfWork } = feed.database;
  const animal = await pets.add(rex);
  let over = 0;
  let passThird = (): void => undefined;
  const isThirdOver = new Promise<void>((resolve) => (passThird = resolve));
  const change = async (n: number): Promise<Pet | undefined> => {
    const changed = await pets.change(animal.id, (pet) => ({ ...pet, name: `Rex ${n}` as PetName }));
    if (++over === MANY / 3) passThird();
    return changed;
  };
  const changes = Promise.all(Array.from({ length: MANY }, (_, n) => change(n)));
  await isThirdOver;
  const before = over;
  await unitOfWork.run((transaction) => pets.add(rex, transaction));
  const meanwhile = over - before;
  expect((await changes).map((pet) => pet?.name)).toEqual(Array.from({ length: MANY }, (_, n) => `Rex ${n}`));
  // It waits for the one whose turn it is, not for all that wait.
  expect(meanwhile).toBeLessThan(MANY / 3);
  await feed.expectLaws();
});
