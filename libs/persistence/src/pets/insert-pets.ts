import { type EventType, resourceOf } from '@petstore/event-feed';
import { type NewPet, Pet, type PetId, PetProfile } from '@petstore/pet-domain';
import type { Statement } from '../pipelined-pool/statement.js';
import { arrayParameters, arraysOf, names } from '../sql/columns.js';
import { jsonObject } from '../sql/json.js';
import { NEW_PET_COLUMNS, PET_COLUMNS, PET_JSON } from './pet.schema.js';
import { TRAITS, traitsWith } from './pet-traits.sql.js';

/** A new animal and its profile, if it has one. */
export interface DescribedPet {
  readonly pet: NewPet;
  readonly profile?: PetProfile | undefined;
}

const COLUMNS = [...NEW_PET_COLUMNS, TRAITS];
const CREATED: EventType = 'pet.created';

/** Adds many pets: takes one array for each column, and gives ids in the order of the arrays. */
const ADDED = `
  with added as (
    insert into pets (${names(COLUMNS)})
    select * from unnest(${arrayParameters(COLUMNS)})
    returning ${names(PET_COLUMNS)}
  )`;
const IDS = 'select id from added order by id';

/** Within a transaction, which writes the events of the animals with its others. Takes the profiles and their words, too. */
export const INSERT_PETS = `${ADDED}, placed as (select id, row_number() over (order by id) as place from added), profiles as (
    insert into pet_profiles (pet_id, profile, words, updated_at)
    select id, profile, words, now()
    from unnest($${COLUMNS.length + 1}::text[], $${COLUMNS.length + 2}::tsvector[]) with ordinality described (profile, words, place)
      join placed using (place)
    where profile is not null
  ) ${IDS}`;

/**
 * Without a transaction: the event of each animal is written by the same statement, which takes half of what the three of a
 * transaction take. The ids of the events are in the order of the animals, too.
 */
export const INSERT_PETS_WITH_EVENTS: Statement = {
  name: 'pets_insert',
  text: `${ADDED}, written as (
      insert into outbox (type, resource, data)
      select '${CREATED}', '${resourceOf(CREATED)}', ${jsonObject([{ member: 'pet', kind: 'json', value: PET_JSON }])} from added order by id
    ) ${IDS}`,
};

/** The values of {@link INSERT_PETS_WITH_EVENTS}, for animals without profiles. */
export function insertedValues(pets: readonly NewPet[]): unknown[][] {
  return describedValues(pets.map((pet) => ({ pet }))).slice(0, COLUMNS.length);
}

/** The values of {@link INSERT_PETS}. */
export function describedValues(wanted: readonly DescribedPet[]): unknown[][] {
  const rows = wanted.map(({ pet, profile = PetProfile.EMPTY }) => ({
    ...pet,
    ...traitsWith(pet, profile),
    profile,
  }));
  return [
    ...arraysOf(COLUMNS, rows),
    rows.map(({ profile }) => (profile === PetProfile.EMPTY ? null : profile)),
    rows.map(({ words }) => words),
  ];
}

/** The animals that have got these ids. */
export function insertedPets(
  pets: readonly NewPet[],
  ids: readonly (string | null | undefined)[],
): readonly Pet[] {
  return pets.map((pet, at) => {
    const id = ids[at];
    if (id === undefined || id === null) throw new Error('The database gave fewer ids than there are pets.');
    return new Pet({ ...pet, id: id as PetId });
  });
}
