import { ACTIVE_STATUSES, type OrderStatus, reservationBy } from '@petstore/order-domain';
import type { Pet, PetProfile, PetReservation, PetState, PetStatus } from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { selected } from '../sql/columns.js';
import { type ChangedPet, toPet } from './pet.repository.js';
import { PET_COLUMNS } from './pet.schema.js';

/** An animal of a source, as it is. */
export interface SourcePet {
  readonly reference: string;
  readonly pet: Pet;
  /** By an active order. */
  readonly reservation: PetReservation | undefined;
  /** What it was before an import sold it because its file lacked it; `undefined` once anybody says otherwise. */
  readonly soldFrom: PetStatus | undefined;
}

export interface DescribedSourcePet extends SourcePet {
  readonly profile: PetProfile;
}

interface Row extends PetState {
  readonly reference: string;
  readonly orderStatus: OrderStatus | null;
  readonly soldFrom: PetStatus | null;
}

const ANIMAL = `reference, ${selected(PET_COLUMNS)}, sold_from as "soldFrom",
  (select orders.status from orders where orders.pet_id = pets.id and orders.status = any ($2)) as "orderStatus"`;
const FIND = `
  select ${ANIMAL}, coalesce(profile, '{}') as profile
  from pet_sources join pets on pets.id = pet_id left join pet_profiles using (pet_id)
  where source = $1 and reference = any ($3)`;
const PAGE = `
  select ${ANIMAL} from pet_sources join pets on pets.id = pet_id
  where source = $1 and reference > $3 order by reference limit $4`;
/** In the order of the ids: two transactions that lock several animals do not wait for each other. */
const LOCK = `
  select from pet_sources join pets on pets.id = pet_id where source = $1 and reference = any ($2)
  order by pets.id for update of pets`;
const ADD = `
  insert into pet_sources (source, reference, pet_id) select $1, * from unnest($2::text[], $3::bigint[])`;
const SOLD = `
  update pet_sources set sold_from = sold.status from unnest($1::bigint[], $2::text[]) sold (id, status)
  where pet_id = sold.id`;
const FORGET_SOLD = 'update pet_sources set sold_from = null where pet_id = any ($1::bigint[])';

/** Which animals the sources of imports mean, within a transaction. */
export class PetSourceRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Animals of a source, by their references. */
  async find(
    source: string,
    references: readonly string[],
  ): Promise<ReadonlyMap<string, DescribedSourcePet>> {
    const values = [source, ACTIVE_STATUSES, references];
    const rows = await this.manager.query<(Row & { readonly profile: PetProfile })[]>(FIND, values);
    return new Map(
      rows.map(({ profile, ...row }) => [row.reference, { ...toSourcePet(row), profile }] as const),
    );
  }

  /** The same, which no other transaction changes until the end of this one. */
  async lock(
    source: string,
    references: readonly string[],
  ): Promise<ReadonlyMap<string, DescribedSourcePet>> {
    await this.manager.query(LOCK, [source, references]);
    // Profiles and orders change under the lock of their animal.
    return this.find(source, references);
  }

  /** Some animals of a source in the order of their references, from behind one on; `''` is before the first. */
  async page(source: string, after: string, limit: number): Promise<readonly SourcePet[]> {
    const values = [source, ACTIVE_STATUSES, after, limit];
    return (await this.manager.query<Row[]>(PAGE, values)).map(toSourcePet);
  }

  /** Says by which references a source knows new animals. */
  async add(source: string, pets: ReadonlyMap<string, Pet>): Promise<void> {
    const ids = [...pets.values()].map(({ id }) => id);
    await this.manager.query(ADD, [source, [...pets.keys()], ids]);
  }

  /** Remembers of animals that are sold only because a file lacks them what they were. */
  async rememberSold(sold: readonly ChangedPet[]): Promise<void> {
    const ids = sold.map(({ pet }) => pet.id);
    await this.manager.query(SOLD, [ids, sold.map(({ previous }) => previous.status)]);
  }

  /** For animals that their source itself says to be sold. */
  async forgetSold(pets: readonly Pet[]): Promise<void> {
    await this.manager.query(FORGET_SOLD, [pets.map(({ id }) => id)]);
  }
}

function toSourcePet({ reference, orderStatus, soldFrom, ...row }: Row): SourcePet {
  return {
    reference,
    pet: toPet(row),
    reservation: orderStatus === null ? undefined : reservationBy(orderStatus),
    soldFrom: soldFrom ?? undefined,
  };
}
