import { CATEGORY_FIELDS } from '@petstore/pet-domain';
import { columnsOf, namesOf } from '../columns/columns-of.js';
import { jsonLayoutOf } from '../columns/json-layout.js';
import type { Statement } from '../pipeline/statement.js';
import { CategoryRow } from './category.row.js';

/** The columns that every statement about categories reads, in the order of the fields of a category. */
export const CATEGORY_COLUMNS = columnsOf(CategoryRow, CATEGORY_FIELDS);

/** How rows of {@link CATEGORY_COLUMNS} become JSON. */
export const CATEGORY_LAYOUT = jsonLayoutOf(CATEGORY_FIELDS, 64);

const SELECT = `select ${namesOf(CATEGORY_COLUMNS)} from categories`;

export const PAGE: Statement = { name: 'categories_page', text: `${SELECT} order by id desc limit $1` };
export const PAGE_BEFORE: Statement = {
  name: 'categories_page_before',
  text: `${SELECT} where id < $1 order by id desc limit $2`,
};
export const FIND: Statement = { name: 'categories_find', text: `${SELECT} where id = $1` };

export const LOCK: Statement = { name: 'categories_lock', text: `${SELECT} where id = $1 for update` };

/** The next id, unless a category has it (no row), and whether an animal has it. $1 name, $2 its key. */
export const ADD: Statement = {
  name: 'categories_add',
  text: `insert into categories (name, name_key) values ($1, $2) on conflict (id) do nothing
    returning id, exists (select from pets where category_id = categories.id)`,
};

/**
 * No row when the id or the name has been taken meanwhile. Said of the id alone, two who make the same category at once
 * would meet at its name.
 */
export const ADD_WITH_ID: Statement = {
  name: 'categories_add_with_id',
  text: `insert into categories (id, name, name_key) values ($1, $2, $3) on conflict do nothing returning id`,
};
export const IS_NAME_TAKEN: Statement = {
  name: 'categories_is_name_taken',
  text: 'select exists (select from categories where name_key = $1)',
};
/**
 * One renames after the other: two who exchange the names of two categories would each wait for the other one's to be
 * free. To be taken together with the new name, by whoever has locked the category.
 */
export const TAKE_TURN_TO_RENAME: Statement = {
  name: 'categories_take_turn_to_rename',
  text: `select pg_advisory_xact_lock(hashtextextended('names of categories', 0))`,
};
export const RENAME: Statement = {
  name: 'categories_rename',
  text: 'update categories set name = $2, name_key = $3, updated_at = now() where id = $1',
};
export const REMOVE: Statement = { name: 'categories_remove', text: 'delete from categories where id = $1' };
export const IN_USE: Statement = {
  name: 'categories_in_use',
  text: 'select exists (select from pets where category_id = $1)',
};
