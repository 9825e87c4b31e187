import { Injectable } from '@nestjs/common';
import type { IdempotencyKey } from '../operations/idempotency-key.decorator.js';
import { Links } from '../operations/links.js';
import { mapErrors } from '../operations/map-errors.js';
import { PET_REFUSALS, patchPet } from '../pets/pets.service.js';
import { changeProfile } from '../profiles/profiles.service.js';
import { type JsonValue, type Transaction, UnitOfWork } from '@petstore/persistence';
import {
  Day,
  type NewPet,
  type Pet,
  PetEvent,
  type PetId,
  petJson,
  type PetPatch,
  PetProfile,
} from '@petstore/pet-domain';
import { flatProfile, profileOf } from './animal-profile.js';
import type { Members } from './results.js';

/** What a call changes of a profile. */
export interface ProfileChange {
  /** As tools have them. */
  readonly given: Members;
  /** Names of members that are taken away. */
  readonly cleared: readonly string[];
}

/** Adds and changes an animal and its profile as one, in one transaction: over HTTP these are two requests. */
@Injectable()
export class DescribedAnimals {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly links: Links,
  ) {}

  /** @param flat its profile, as tools have it @returns JSON of the animal with its profile */
  async add(wanted: NewPet, flat: Members, key: IdempotencyKey | undefined): Promise<string> {
    const input = { ...wanted, profile: flat } as JsonValue;
    const { json } = await this.unitOfWork.run((tx) =>
      tx.idempotentRequests.once(key, input, async () => {
        const profile = await checked(tx, flat);
        const [pet] = (await tx.pets.insert([wanted])) as [Pet];
        tx.emit(PetEvent.created(pet));
        await changeProfile(tx, pet, PetProfile.EMPTY, profile);
        return { json: describedJson(pet, profile), location: this.links.to(`/pets/${pet.id}`) };
      }),
    );
    return json;
  }

  /** @returns JSON of the animal with its profile, as they are now */
  change(id: PetId, patch: PetPatch, { given, cleared }: ProfileChange): Promise<string> {
    const changed = this.unitOfWork.run(
      async (tx) => {
        const pet = await patchPet(tx, id, patch);
        const current = await tx.pets.profileOf(pet);
        if (Object.keys(given).length + cleared.length === 0) return describedJson(pet, current);
        const before = flatProfile(JSON.parse(current) as Members);
        const profile = await checked(tx, merged(before, given, cleared));
        await changeProfile(tx, pet, current, profile);
        return describedJson(pet, profile);
      },
      { serialize: `pet ${id}` },
    );
    return mapErrors(changed, PET_REFUSALS);
  }
}

/** @throws ApiError `validation_failed` */
async function checked(tx: Transaction, flat: Members): Promise<PetProfile> {
  // The clock of the database decides what tomorrow is.
  return profileOf(flat, 'born_on' in flat ? await tx.pets.latestBirth() : Day.of(new Date()));
}

/** Descriptions belong to their photos: with a new list of these, each photo keeps its own. */
function merged(before: Members, given: Members, cleared: readonly string[]): Members {
  const { photos = [], photo_descriptions: descriptions } = before as Readonly<Record<string, string[]>>;
  const after: Record<string, unknown> = { ...before, ...given };
  if (Array.isArray(given['photos']) && descriptions !== undefined && !('photo_descriptions' in given))
    after['photo_descriptions'] = given['photos'].map(
      (url: unknown) => descriptions[photos.indexOf(url as string)] ?? '',
    );
  const gone = new Set(cleared);
  if (gone.has('photos') && !('photo_descriptions' in given)) gone.add('photo_descriptions');
  return Object.fromEntries(Object.entries(after).filter(([name]) => !gone.has(name)));
}

function describedJson(pet: Pet, profile: PetProfile): string {
  return `{"pet":${petJson(pet)},"profile":${profile}}`;
}
