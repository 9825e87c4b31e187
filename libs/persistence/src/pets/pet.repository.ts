import { ACTIVE_STATUSES, type OrderStatus, reservationBy } from '@petstore/order-domain';
import {
  type NewPet,
  Pet,
  type PetId,
  PetProfile,
  type PetReservation,
  type PetState,
} from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { arraysOf, assignments, selected, updateAll, valuesOf, withoutNulls } from '../sql/columns.js';
import { INSERT_PETS, insertedPets } from './insert-pets.js';
import { NEW_PET_COLUMNS, PET_COLUMNS } from './pet.schema.js';

const LOCK = `select ${selected(PET_COLUMNS)} from pets where id = $1 for update`;
/** Behind the lock of the pet: an order is placed and ended under it. */
const ACTIVE_ORDER = 'select status from orders where pet_id = $1 and status = any ($2)';
const UPDATE = `update pets set ${assignments(NEW_PET_COLUMNS, 2)} where id = $1`;
const UPDATE_ALL = updateAll('pets', PET_COLUMNS);
const DELETE = 'delete from pets where id = $1';
/** Behind the lock of the pet: its profile changes under it. */
const PROFILE = 'select profile from pet_profiles where pet_id = $1';
const SAVE_PROFILES = `
  insert into pet_profiles (pet_id, profile, updated_at)
  select *, now() from unnest($1::bigint[], $2::text[])
  on conflict (pet_id) do update set profile = excluded.profile, updated_at = excluded.updated_at`;
const DELETE_PROFILE = 'delete from pet_profiles where pet_id = $1';

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

  /** Adds animals by one statement, in this order. */
  async insert(wanted: readonly NewPet[]): Promise<readonly Pet[]> {
    const rows = await this.manager.query<{ id: PetId }[]>(INSERT_PETS, arraysOf(NEW_PET_COLUMNS, wanted));
    return insertedPets(
      wanted,
      rows.map(({ id }) => id),
    );
  }

  async update(pet: Pet): Promise<void> {
    await this.manager.query(UPDATE, [pet.id, ...valuesOf(NEW_PET_COLUMNS, pet)]);
  }

  async updateAll(pets: readonly Pet[]): Promise<void> {
    await this.manager.query(UPDATE_ALL, arraysOf(PET_COLUMNS, pets));
  }

  async delete({ id }: Pet): Promise<void> {
    await this.manager.query(DELETE, [id]);
  }

  /** The profile of an animal that is locked. */
  async profileOf({ id }: Pet): Promise<PetProfile> {
    const [row] = await this.manager.query<{ profile: PetProfile }[]>(PROFILE, [id]);
    return row?.profile ?? PetProfile.EMPTY;
  }

  /** Gives a locked animal another profile; an empty one has no row. */
  async saveProfile({ id }: Pet, profile: PetProfile): Promise<void> {
    if (profile === PetProfile.EMPTY) await this.manager.query(DELETE_PROFILE, [id]);
    else await this.manager.query(SAVE_PROFILES, [[id], [profile]]);
  }

  /** Adds the profiles of new animals. */
  async insertProfiles(described: readonly (readonly [Pet, PetProfile])[]): Promise<void> {
    if (described.length === 0) return;
    const ids = described.map(([{ id }]) => id);
    await this.manager.query(SAVE_PROFILES, [ids, described.map(([, profile]) => profile)]);
  }
}

/** @param row of the columns of an animal */
export function toPet(row: PetState): Pet {
  return new Pet(withoutNulls(row));
}
