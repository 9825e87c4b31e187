import { ACTIVE_STATUSES } from '@petstore/order-domain';
import { PetEvent } from '@petstore/pet-domain';
import { arrayParameters } from '../columns/array-literals.js';
import { type Column, namesOf, parametersOf, wordsOf } from '../columns/columns-of.js';
import { writeEvents } from '../event/outbox.js';
import type { Statement } from '../pipeline/statement.js';
import { NEW_PET_COLUMNS, PET_COLUMNS } from './pet-columns.js';
import { PET_JSON } from './pet-json.sql.js';

const GIVEN = namesOf(NEW_PET_COLUMNS);
const KEPT = namesOf(PET_COLUMNS);

/** SQL of the data of `pet.created`. */
const CREATED = PetEvent.AROUND_PET.map((piece) => `'${piece}'`).join(` || ${PET_JSON} || `);

/** The event of each new animal. Its data is made of the row: in the process it would be made, and escaped, once more. */
const WRITE_CREATED = `${writeEvents({ type: PetEvent.CREATED, resource: 'pet', data: CREATED, source: 'added' })} order by id`;

/**
 * Takes one array for each column. Its rows are the ids alone, in the order of the arrays: the rest is known. Ids are
 * given in that order, and those of the events, too.
 */
export const ADD: Statement = {
  name: 'pets_add',
  text: `
    with added as (
      insert into pets (${GIVEN}) select * from unnest(${arrayParameters(NEW_PET_COLUMNS)}) returning ${KEPT}
    ), written as (
      ${WRITE_CREATED}
    )
    select id from added order by id`,
};

/** One animal within a transaction. */
export const ADD_ONE: Statement = {
  name: 'pets_add_one',
  text: `
    with added as (
      insert into pets (${GIVEN}) values (${parametersOf(NEW_PET_COLUMNS)}) returning ${KEPT}
    ), written as (
      ${WRITE_CREATED}
    )
    select id from added`,
};

/**
 * An animal, its version, that is the transaction that has written this state of the row (`xmin`), and what an order has
 * made of it. Whatever begins or ends a hold, or makes another one of it, changes the row: who changes the animal only
 * if it still has this version, has seen the right hold.
 */
export const LOAD: Statement = {
  name: 'pets_load',
  text: `select ${KEPT}, xmin, coalesce((
      select case status when 'delivered' then 'adopted' else 'reserved' end from orders
      where pet_id = pets.id and status in (${wordsOf(ACTIVE_STATUSES)})), '')
    from pets where id = $1`,
};

/** Within a transaction, at the end of which others may change the animal again. What is loaded then is its last state. */
export const LOCK: Statement = { name: 'pets_lock', text: 'select from pets where id = $1 for update' };

/** What {@link CHANGE} takes of each change. */
export const CHANGE_COLUMNS: readonly Column[] = [
  ...PET_COLUMNS,
  { member: 'version', kind: 'int64', name: 'version', type: 'xid' },
  { member: 'data', kind: 'text', name: 'data', type: 'text' },
];

const CHANGED = namesOf(CHANGE_COLUMNS);

/**
 * Takes one array for each of {@link CHANGE_COLUMNS}, each animal once. Its rows are the ids of those that it has changed:
 * not of an animal that has another version, nor of one that is locked. It waits for no lock of an animal: the others
 * would wait with it, and two that have locked what the other one needs for ever.
 */
export const CHANGE: Statement = {
  name: 'pets_change',
  text: `
    with given as materialized (
      select * from unnest(${arrayParameters(CHANGE_COLUMNS)}) given (${CHANGED})
    ), held as materialized (
      select given.* from given, lateral (
        select from pets where id = given.id and xmin = given.version for no key update skip locked
      ) one
    ), changed as (
      update pets set ${NEW_PET_COLUMNS.map(({ name }) => `${name} = held.${name}`).join(', ')}
      from held where pets.id = held.id returning pets.id, held.data
    ), written as (
      ${writeEvents({ type: 'pet.updated', resource: 'pet', data: 'data', source: 'changed' })}
    )
    select id from changed`,
};

/** $1 id, $2 version, then a value for each column, then the data of the event. No row if it has another version. */
export const CHANGE_ONE: Statement = {
  name: 'pets_change_one',
  text: `
    with changed as (
      update pets set ${NEW_PET_COLUMNS.map(({ name }, at) => `${name} = $${at + 3}`).join(', ')}
      where id = $1 and xmin = $2 returning id
    ), written as (
      ${writeEvents({ type: 'pet.updated', resource: 'pet', data: `$${NEW_PET_COLUMNS.length + 3}::text`, source: 'changed' })}
    )
    select id from changed`,
};

/** $1 id, $2 version, $3 data of the event. No row if it has another version. */
export const REMOVE: Statement = {
  name: 'pets_remove',
  text: `
    with removed as (
      delete from pets where id = $1 and xmin = $2 returning id
    ), written as (
      ${writeEvents({ type: 'pet.deleted', resource: 'pet', data: '$3::text', source: 'removed' })}
    )
    select id from removed`,
};

/** What writing connections of the pipelines prepare. */
export const PET_WRITES: readonly Statement[] = [ADD, CHANGE, CHANGE_ONE, REMOVE];
