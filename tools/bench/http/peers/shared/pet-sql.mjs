/** The statements of every peer that writes SQL. */

const COLUMNS = 'id, name, category_id, status';

export const PAGE_BY_STATUS = `select ${COLUMNS} from pets where status = $1 and id < $2 order by id desc limit $3`;
export const PAGE = `select ${COLUMNS} from pets where id < $1 order by id desc limit $2`;
export const FIND = `select ${COLUMNS} from pets where id = $1`;
export const ADD = `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${COLUMNS}`;

/** Where a list without a cursor begins. */
export const NEWEST = '9223372036854775807';
