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
import { arrayParameters, arraysOf, names, selected, withoutNulls } from '../sql/columns.js';
import { type DescribedPet, describedValues, INSERT_PETS, insertedPets } from './insert-pets.js';
import { CREATED_AT, NEW_PET_COLUMNS, PET_COLUMNS } from './pet.schema.js';
import { isFoundAsBefore, replaced, REPLACED_TRAITS, replacedTraits, traitsWith } from './pet-traits.sql.js';

const LOCK = `select ${selected(PET_COLUMNS)} from pets where id = $1 for update`;
/** Behind the lock of the pet: an order is placed and ended under it. */
const ACTIVE_ORDER = 'select status from orders where pet_id = $1 and status = any ($2)';
const UPDATE_STATUS = 'update pets set status = $2 where id = $1';
const CHANGES = [...PET_COLUMNS, ...REPLACED_TRAITS];
const CHANGED = `unnest(${arrayParameters(CHANGES)}) changed (${names(CHANGES)})`;
const UPDATE_ALL = `
  update pets set ${NEW_PET_COLUMNS.map(({ name }) => `${name} = changed.${name}`).join(', ')}, traits = ${replaced('traits')}
  from ${CHANGED} where pets.id = changed.id`;
/** Of animals that are found in another way now. */
const UPDATE_WORDS = `
  update pet_profiles set words = ${replaced('words')}
  from ${CHANGED} where pet_id = changed.id and words is not null and old_traits <> new_traits`;
const DELETE = 'delete from pets where id = $1';
const DELETE_ALL = 'delete from pets where id = any ($1::bigint[])';
const ADDED = `select ${CREATED_AT} as "createdAt" from pets where id = $1`;
/** Behind the lock of the pet: its profile changes under it. */
const PROFILE = 'select profile from pet_profiles where pet_id = $1';
/** Takes the ids, profiles, words and traits of animals. */
const DESCRIBED =
  'unnest($1::bigint[], $2::text[], $3::tsvector[], $4::tsvector[]) described (id, profile, words, traits)';
const SAVE_PROFILES = `
  with saved as (
    insert into pet_profiles (pet_id, profile, words, updated_at) select id, profile, words, now() from ${DESCRIBED}
    on conflict (pet_id) do update
    set profile = excluded.profile, words = excluded.words, updated_at = excluded.updated_at
  )
  update pets set traits = described.traits from ${DESCRIBED} where pets.id = described.id`;
const DELETE_PROFILE = `
  with removed as (delete from pet_profiles where pet_id = $1)
  update pets set traits = $2 where id = $1`;

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
  async update(pet: Pet, previous: PreviousPet): Promise<void> {
    if (isFoundAsBefore(previous)) await this.manager.query(UPDATE_STATUS, [pet.id, pet.status]);
    else await this.updateAll([{ pet, previous }]);
  }

  async updateAll(changes: readonly ChangedPet[]): Promise<void> {
    const rows = changes.map(({ pet, previous }) => Object.assign({}, pet, replacedTraits(pet, previous)));
    await this.manager.query(UPDATE_ALL, arraysOf(CHANGES, rows));
    if (!changes.every(({ previous }) => isFoundAsBefore(previous)))
      await this.manager.query(UPDATE_WORDS, arraysOf(CHANGES, rows));
  }

  async delete({ id }: Pet): Promise<void> {
    await this.manager.query(DELETE, [id]);
  }

  async deleteAll(pets: readonly Pet[]): Promise<void> {
    await this.manager.query(DELETE_ALL, [pets.map(({ id }) => id)]);
  }

  /** When an animal was added, as JSON has it. */
  async createdAtOf({ id }: Pet): Promise<string> {
    const [row] = await this.manager.query<[{ createdAt: string }]>(ADDED, [id]);
    return row.createdAt;
  }

  /** The profile of an animal that is locked. */
  async profileOf({ id }: Pet): Promise<PetProfile> {
    const [row] = await this.manager.query<{ profile: PetProfile }[]>(PROFILE, [id]);
    return row?.profile ?? PetProfile.EMPTY;
  }

  /** Gives a locked animal another profile; an empty one has no row. */
  async saveProfile(pet: Pet, profile: PetProfile): Promise<void> {
    if (profile === PetProfile.EMPTY)
      await this.manager.query(DELETE_PROFILE, [pet.id, traitsWith(pet, profile).traits]);
    else await this.saveProfiles([[pet, profile]]);
  }

  /** Gives locked animals other profiles, of which none is empty. */
  async saveProfiles(described: readonly (readonly [Pet, PetProfile])[]): Promise<void> {
    if (described.length === 0) return;
    const found = described.map(([pet, profile]) => traitsWith(pet, profile));
    await this.manager.query(SAVE_PROFILES, [
      described.map(([{ id }]) => id),
      described.map(([, profile]) => profile),
      found.map(({ words }) => words),
      found.map(({ traits }) => traits),
    ]);
  }
}

/** @param row of the columns of an animal */
export function toPet(row: PetState): Pet {
  return new Pet(withoutNulls(row));
}
