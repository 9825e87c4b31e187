import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyAdministration } from '@petstore/api-key';
import { PetStore } from '@petstore/persistence';
import type { CategoryId, PetName, PetStatus } from '@petstore/pet-domain';
import type { Log } from '../logging/log.js';
import { PETSTORE_SCOPES } from '../access/petstore-scopes.js';

/** Sample pets of a new database. */
const SAMPLE: readonly (readonly [name: string, categoryId: string, status: PetStatus])[] = [
  ['Rex', '1', 'available'],
  ['Mia', '2', 'available'],
  ['Goldie', '3', 'pending'],
  ['Пушок', '2', 'available'],
  ['Hazel 🐇', '4', 'sold'],
];

/**
 * Fills an embedded database that has no API key: with sample pets, unless it has pets, and with a demo key of the
 * Free plan with all scopes.
 *
 * @returns the secret of the demo key, of which only a hash is stored; `undefined` if the database has keys
 */
export async function seedDemoData(app: INestApplicationContext, log: Log): Promise<string | undefined> {
  const keys = app.get(ApiKeyAdministration);
  if (!(await keys.isEmpty())) {
    const all = await keys.list();
    // Its file was lost, and a new one was made.
    if (all.every(({ pepper }) => pepper === 'unknown')) log.warn('no key was made with this pepper');
    return undefined;
  }
  const pets = app.get(PetStore);
  const { last } = await pets.list({ limit: 1 });
  if (last === undefined) {
    for (const [name, categoryId, status] of SAMPLE)
      await pets.create({ name: name as PetName, categoryId: categoryId as CategoryId, status });
  }
  const { secret } = await keys.create(
    { name: 'demo', plan: 'free', scopes: PETSTORE_SCOPES.all },
    'first start',
  );
  return secret;
}
