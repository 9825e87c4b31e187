import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyAdministration } from '@petstore/api-key';
import { isStoreUnavailable } from '@petstore/http-server';
import { addDescribedPets, type DescribedPet, PetStore, UnitOfWork } from '@petstore/persistence';
import { type CategoryId, type PetName, PetProfile, type PetStatus } from '@petstore/pet-domain';
import { PETSTORE_SCOPES } from '../access/petstore-scopes.js';

/** Attempts to seed a new database, and the pause between two of them. */
const MAX_ATTEMPTS = 10;
const PAUSE_MS = 500;

/** Animals of a new database, as the domain has them. */
const SAMPLES = fileURLToPath(new URL('../../assets/sample-animals.json', import.meta.url));

interface Sample {
  readonly name: PetName;
  readonly categoryId: CategoryId;
  readonly status: PetStatus;
  readonly profile: Readonly<Record<string, unknown>>;
}

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
  if (last === undefined) {
    const samples = JSON.parse(await readFile(SAMPLES, 'utf8')) as readonly Sample[];
    await app.get(UnitOfWork).run((tx) => addDescribedPets(tx, samples.map(toDescribedPet)));
  }
  const { secret } = await keys.create(
    { name: 'demo', plan: 'free', scopes: PETSTORE_SCOPES.all },
    'first start',
  );
  return secret;
}

function toDescribedPet({ profile, ...pet }: Sample): DescribedPet {
  return { pet, profile: PetProfile.of(profile) };
}
