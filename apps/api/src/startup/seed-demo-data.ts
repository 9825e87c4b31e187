import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyAdministration } from '@petstore/api-key';
import { isStoreUnavailable } from '@petstore/http-server';
import { addDescribedPets, type DescribedPet, PetStore, UnitOfWork } from '@petstore/persistence';
import { type CategoryId, Day, type PetName, PetProfile, type PetStatus } from '@petstore/pet-domain';
import { PETSTORE_SCOPES } from '../access/petstore-scopes.js';

/** Attempts to seed a new database, and the pause between two of them. */
const MAX_ATTEMPTS = 10;
const PAUSE_MS = 500;

/** A sample animal of a new database. */
type Sample = readonly [name: string, categoryId: string, status: PetStatus, profile: object];

const SAMPLES: readonly Sample[] = [
  [
    'Rex',
    '1',
    'available',
    {
      species: 'dog',
      breeds: ['German Shepherd Dog'],
      ageGroup: 'young',
      bornOn: '2024-05-17',
      sex: 'male',
      size: 'large',
      coat: 'medium',
      colors: ['black', 'tan'],
      description: 'Learns fast and wants to work.\nNeeds somebody who has had dogs before.',
      goodWith: { children: true, dogs: true, cats: false },
      vaccinated: true,
      adoptionFee: { amount: '250.00', currency: 'EUR' },
    },
  ],
  [
    'Mia',
    '2',
    'available',
    {
      species: 'cat',
      breeds: ['European Shorthair'],
      ageGroup: 'adult',
      sex: 'female',
      size: 'small',
      coat: 'short',
      colors: ['grey tabby'],
      description: 'Sleeps in the sun, and on any lap there is.',
      goodWith: { cats: true },
      spayedNeutered: true,
      houseTrained: true,
    },
  ],
  ['Goldie', '3', 'pending', { species: 'goldfish', colors: ['orange'], ageGroup: 'adult' }],
  [
    'Пушок',
    '2',
    'available',
    { species: 'cat', mixedBreed: true, ageGroup: 'baby', coat: 'long', colors: ['white'] },
  ],
  ['Hazel 🐇', '4', 'sold', { species: 'rabbit', breeds: ['Lionhead'], sex: 'female', ageGroup: 'senior' }],
];

/**
 * Fills an embedded database that has no API key: with sample animals, unless it has animals, and with a demo key of the
 * Free plan with all scopes.
 *
 * @returns the secret of the demo key, of which only a hash is stored; `undefined` if the database has keys
 */
export async function seedDemoData(app: INestApplicationContext): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await seed(app);
    } catch (error) {
      // A query may fail on a busy machine; a first start must not.
      if (!isStoreUnavailable(error) || attempt === MAX_ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function seed(app: INestApplicationContext): Promise<string | undefined> {
  const keys = app.get(ApiKeyAdministration);
  if (!(await keys.isEmpty())) return undefined;
  const pets = app.get(PetStore);
  const { last } = await pets.list({ limit: 1 });
  if (last === undefined)
    await app.get(UnitOfWork).run((tx) => addDescribedPets(tx, SAMPLES.map(toDescribedPet)));
  const { secret } = await keys.create(
    { name: 'demo', plan: 'free', scopes: PETSTORE_SCOPES.all },
    'first start',
  );
  return secret;
}

function toDescribedPet([name, categoryId, status, profile]: Sample): DescribedPet {
  return {
    pet: { name: name as PetName, categoryId: categoryId as CategoryId, status },
    profile: PetProfile.of(profile as Readonly<Record<string, unknown>>, Day.of(new Date())),
  };
}
