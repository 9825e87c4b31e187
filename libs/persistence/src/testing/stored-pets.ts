import type { Pet, PetId, PetPageRequest, PetsByIdsRequest } from '@petstore/pet-domain';
import type { PetStore } from '../pets/pet.store.js';

/** The values of what a store hands out as JSON: its int64 members as their digits. */
export class StoredPets {
  constructor(private readonly store: PetStore) {}

  async find(id: PetId): Promise<Pet | undefined> {
    const json = await this.store.find(id);
    return json === undefined ? undefined : (parse(json) as Pet);
  }

  async list(request: PetPageRequest): Promise<{ readonly pets: readonly Pet[]; readonly more: boolean }> {
    const { json, last, more } = await this.store.list(request);
    const pets = parse(json) as readonly Pet[];
    if (pets.at(-1)?.id !== last) throw new Error(`The page says that it ends with ${last ?? 'nobody'}.`);
    return { pets, more };
  }

  async listByIds(request: PetsByIdsRequest): Promise<readonly Pet[]> {
    return parse(await this.store.listByIds(request)) as readonly Pet[];
  }
}

function parse(json: string): unknown {
  // Within a name the quotation marks would be escaped.
  return JSON.parse(json.replace(/"(id|categoryId)":(\d+)/g, '"$1":"$2"'));
}
