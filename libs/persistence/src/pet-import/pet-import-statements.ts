import type { Statement } from '../pipeline/statement.js';

/** $1 token, $2 fingerprint. Nothing if there is one with the token. */
export const BEGIN: Statement = {
  name: 'pet_imports_begin',
  text: `insert into pet_imports (token, fingerprint) values ($1, $2) on conflict (token) do nothing`,
};

export const FIND: Statement = {
  name: 'pet_imports_find',
  text: `select encode(fingerprint, 'hex'), records, animals, finished_at is not null from pet_imports where token = $1`,
};

/** $1 token, $2 records that are done, $3 those that are done after it, $4 animals that it adds. No row if others are done. */
export const ADVANCE: Statement = {
  name: 'pet_imports_advance',
  text: `update pet_imports set records = $3, animals = animals + $4, updated_at = now()
    where token = $1 and records = $2 and finished_at is null returning records`,
};

/** $1 token, $2 records that are done. */
export const FINISH: Statement = {
  name: 'pet_imports_finish',
  text: `update pet_imports set finished_at = now(), updated_at = now()
    where token = $1 and records = $2 and finished_at is null returning records`,
};
