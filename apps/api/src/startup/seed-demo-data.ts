import type { ApiKeyAdministration, ApiKeyRepository } from '@petstore/api-key';
import type { CategoryId, NewPet, PetName, PetStatus, PetStore } from '@petstore/pet-domain';

/** A few animals to look at on the first day. */
const SAMPLE: readonly (readonly [name: string, categoryId: string, status: PetStatus])[] = [
  ['Rex', '1', 'available'],
  ['Mia', '2', 'available'],
  ['Goldie', '3', 'pending'],
  ['Пушок', '2', 'available'],
  ['Hazel 🐇', '4', 'sold'],
];

/**
 * Fills an embedded database that has no key yet: sample animals, unless there are animals already, and a
 * demo key on the Free plan.
 *
 * @returns the secret of the demo key, which nobody can find out later; `undefined` when there are keys
 */
export async function seedDemoData(
  pets: PetStore,
  keys: ApiKeyRepository,
  administration: ApiKeyAdministration,
): Promise<string | undefined> {
  if (!(await keys.isEmpty())) return undefined;
  const { last } = await pets.list({ limit: 1 });
  if (last === undefined) {
    for (const animal of SAMPLE) await pets.add(toNewPet(animal));
  }
  const { secret } = await administration.create({ name: 'demo', plan: 'free' }, 'first start');
  return secret;
}

function toNewPet([name, categoryId, status]: (typeof SAMPLE)[number]): NewPet {
  return { name: name as PetName, categoryId: categoryId as CategoryId, status };
}
