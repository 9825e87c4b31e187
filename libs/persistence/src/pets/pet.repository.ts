import { ACTIVE_STATUSES, type OrderStatus, reservationBy } from '@petstore/order-domain';
import {
  Pet,
  type PetId,
  PetProfile,
  type PetReservation,
  type PetState,
  type PreviousPet,
} from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { arraysOf, selected, updateAll, withoutNulls } from '../sql/columns.js';
import { type DescribedPet, describedValues, INSERT_PETS, insertedPets } from './insert-pets.js';
import { PET_COLUMNS } from './pet.schema.js';
import { TRAITS, traitsWith, WORDS } from './pet-traits.sql.js';

const LOCK = `select ${selected(PET_COLUMNS)} from pets where id = $1 for update`;
/** Behind the lock of the pet: an order is placed and ended under it. */
const ACTIVE_ORDER = 'select status from orders where pet_id = $1 and status = any ($2)';
const ID = PET_COLUMNS.slice(0, 1);
const STATUS = PET_COLUMNS.filter(({ member }) => member === 'id' || member === 'status');
const UPDATE_STATUS = updateAll('pets', STATUS);
const CHANGED = [...PET_COLUMNS, TRAITS];
const UPDATE = updateAll('pets', CHANGED);
const UPDATE_TRAITS = updateAll('pets', [...ID, TRAITS]);
const DESCRIBED = [...ID.map((column) => ({ ...column, name: 'pet_id' })), WORDS];
const UPDATE_WORDS = updateAll('pet_profiles', DESCRIBED);
const DELETE = 'delete from pets where id = $1';
const DELETE_ALL = 'delete from pets where id = any ($1::bigint[])';
const ADDED = 'select created_at as "createdAt" from pets where id = $1';
/** Behind the lock of the pets: their profiles change under it. */
const PROFILES = 'select pet_id as id, profile from pet_profiles where pet_id = any ($1::bigint[])';
/** Takes the ids, profiles and words of animals. */
const SAVE_PROFILES = `
  insert into pet_profiles (pet_id, profile, words, updated_at)
  select id, profile, words, now() from unnest($1::bigint[], $2::text[], $3::tsvector[]) described (id, profile, words)
  on conflict (pet_id) do update
  set profile = excluded.profile, words = excluded.words, updated_at = excluded.updated_at`;
const DELETE_PROFILE = 'delete from pet_profiles where pet_id = $1';

/** An animal that has changed. */
export interface ChangedPet {
  readonly pet: Pet;
  /** The old values of what has. */
  readonly previous: PreviousPet;
}

/** Animals within a transaction. Orders lock the animal first, then the order. */
export class PetRepository {
  constructor(private readonly manager: EntityManager) {}

  /** The animal, which no other transaction changes until the end of this one; `undefined` when there is none. */
  async lock(id: PetId): Promise<Pet | undefined> {
    const [row] = await this.manager.query<PetState[]>(LOCK, [id]);
    return row && toPet(row);
  }

  /** What an active order has made of an animal that is locked. */
  async reservationOf({ id }: Pet): Promise<PetReservation | undefined> {
    const [order] = await this.manager.query<{ status: OrderStatus }[]>(ACTIVE_ORDER, [id, ACTIVE_STATUSES]);
    return order && reservationBy(order.status);
  }

  /** Adds animals with their profiles by one statement, in this order. */
  async insert(wanted: readonly DescribedPet[]): Promise<readonly Pet[]> {
    const rows = await this.manager.query<{ id: PetId }[]>(INSERT_PETS, describedValues(wanted));
    return insertedPets(
      wanted.map(({ pet }) => pet),
      rows.map(({ id }) => id),
    );
  }

  /** @param previous the old values of what has changed */
  update(pet: Pet, previous: PreviousPet): Promise<void> {
    return this.updateAll([{ pet, previous }]);
  }

  async updateAll(changes: readonly ChangedPet[]): Promise<void> {
    const [found, others]: [Pet[], Pet[]] = [[], []];
    for (const { pet, previous } of changes) (isFoundAsBefore(previous) ? others : found).push(pet);
    if (others.length > 0) await this.manager.query(UPDATE_STATUS, arraysOf(STATUS, others));
    if (found.length === 0) return;
    const profiles = await this.profilesOf(found);
    const rows = found.map((pet) =>
      Object.assign({}, pet, traitsWith(pet, profiles.get(pet.id) ?? PetProfile.EMPTY)),
    );
    await this.manager.query(UPDATE, arraysOf(CHANGED, rows));
    const described = rows.filter(({ words }) => words !== null);
    if (described.length > 0) await this.manager.query(UPDATE_WORDS, arraysOf(DESCRIBED, described));
  }

  async delete({ id }: Pet): Promise<void> {
    await this.manager.query(DELETE, [id]);
  }

  async deleteAll(pets: readonly Pet[]): Promise<void> {
    await this.manager.query(DELETE_ALL, [pets.map(({ id }) => id)]);
  }

  /** When an animal was added. */
  async createdAtOf({ id }: Pet): Promise<Date> {
    const [row] = await this.manager.query<[{ createdAt: Date }]>(ADDED, [id]);
    return row.createdAt;
  }

  /** The profile of an animal that is locked. */
  async profileOf(pet: Pet): Promise<PetProfile> {
    return (await this.profilesOf([pet])).get(pet.id) ?? PetProfile.EMPTY;
  }

  /** Gives a locked animal another profile; an empty one has no row. */
  async saveProfile(pet: Pet, profile: PetProfile): Promise<void> {
    if (profile === PetProfile.EMPTY) {
      await this.manager.query(DELETE_PROFILE, [pet.id]);
      await this.saveTraits([{ id: pet.id, ...traitsWith(pet, profile) }]);
    } else await this.saveProfiles([[pet, profile]]);
  }

  /** Gives locked animals other profiles, of which none is empty. */
  async saveProfiles(described: readonly (readonly [Pet, PetProfile])[]): Promise<void> {
    if (described.length === 0) return;
    const rows = described.map(([pet, profile]) => ({ id: pet.id, profile, ...traitsWith(pet, profile) }));
    await this.manager.query(SAVE_PROFILES, [
      rows.map(({ id }) => id),
      rows.map(({ profile }) => profile),
      rows.map(({ words }) => words),
    ]);
    await this.saveTraits(rows);
  }

  private async saveTraits(rows: readonly { readonly id: PetId; readonly traits: string }[]): Promise<void> {
    await this.manager.query(UPDATE_TRAITS, arraysOf([...ID, TRAITS], rows));
  }

  /** Of those of these animals that are described. */
  private async profilesOf(pets: readonly Pet[]): Promise<ReadonlyMap<PetId, PetProfile>> {
    const rows = await this.manager.query<{ id: PetId; profile: PetProfile }[]>(PROFILES, [
      pets.map(({ id }) => id),
    ]);
    return new Map(rows.map(({ id, profile }) => [id, profile]));
  }
}

/** Whether animals are found as before by all but their status. */
function isFoundAsBefore({ name, categoryId }: PreviousPet): boolean {
  return name === undefined && categoryId === undefined;
}

/** @param row of the columns of an animal */
export function toPet(row: PetState): Pet {
  return new Pet(withoutNulls(row));
}
