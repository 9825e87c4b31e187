import { type NewPet, Pet, type PetId } from '@petstore/pet-domain';
import type { PipelinedPool } from '../pipelined-pool/pipelined-pool.js';
import type { Statement } from '../pipelined-pool/statement.js';
import { arrayParameters, arraysOf, names } from '../sql/columns.js';
import { jsonObject } from '../sql/json.js';
import { NEW_PET_COLUMNS, PET_COLUMNS, PET_JSON } from './pet.schema.js';

/**
 * Takes one array for each column, and writes the event of each pet in the same statement. Ids are given in the order of
 * the arrays, and those of the events, too.
 */
const INSERT: Statement = {
  name: 'pets_insert',
  text: `
    with added as (
      insert into pets (${names(NEW_PET_COLUMNS)})
      select * from unnest(${arrayParameters(NEW_PET_COLUMNS)})
      returning ${names(PET_COLUMNS)}
    ), written as (
      insert into outbox (type, resource, data)
      select 'pet.created', 'pet', ${jsonObject([{ member: 'pet', kind: 'json', value: PET_JSON }])} from added order by id
    )
    select id from added order by id`,
};

/** Creates pets with their events, all of them or none, in this order. */
export async function insertPets(pool: PipelinedPool, pets: readonly NewPet[]): Promise<readonly Pet[]> {
  const rows = await pool.query(INSERT, arraysOf(NEW_PET_COLUMNS, pets));
  return pets.map((pet, at) => {
    const id = rows[at]?.[0];
    if (id === undefined || id === null) throw new Error('The database gave fewer ids than there are pets.');
    return new Pet({ ...pet, id: id as PetId });
  });
}
