/**
 * One namespace of tokens with versions of the service that know the table `add_requests` alone (1.0.0 and what
 * followed it, before `idempotent_requests`): what they have carried out is honoured, and what this version has
 * carried out they know, while both run side by side and for 24 hours after the last of them has ended.
 *
 * To be deleted in the second release after `idempotent_requests`, whose upgrade from those versions goes through the
 * release in between: this file and its test, `add-request.row.ts`, the parts that `postgres-idempotency.store.ts` and
 * `idempotency.resource.ts` take from here; and `add_requests` itself by a migration one release later.
 */
import { type CategoryId, petJson, type PetId, type PetName, type PetStatus } from '@petstore/pet-domain';
import { type BoundStatement, type TextRow } from '../unit-of-work/statement-batch.js';
import type { Statement } from '../pipeline/statement.js';
import {
  type IdempotencyKey,
  type IdempotentRequest,
  REMEMBERED_FOR_MS,
  type StoredAnswer,
} from './idempotent-request.js';
import { keptToken } from './kept-token.js';

/** The only operation that those versions carry out once. */
const OPERATION = 'createPet';

const CREATED = 201;

/** 1.0.0 keeps every token as it was sent, later versions the hash of a long one. */
const FIND: Statement = {
  name: 'add_requests_find',
  text: `select pet_id, name, category_id, status from add_requests
    where caller = $1 and token in ($2, $3) and created_at > now() - interval '${REMEMBERED_FOR_MS} milliseconds'
    order by created_at desc limit 1`,
};

/** A row in the way is one that is forgotten, as in those versions. */
const SAVE: Statement = {
  name: 'add_requests_save',
  text: `insert into add_requests (caller, token, pet_id, name, category_id, status) values ($1, $2, $3, $4, $5, $6)
    on conflict (caller, token) do update set pet_id = excluded.pet_id, name = excluded.name,
      category_id = excluded.category_id, status = excluded.status, created_at = now()`,
};

/** An animal that nobody can ask for: whoever finds it refuses the token as one that was used for something else. */
const NO_PET = { name: '', categoryId: '0', status: '' };

/** What is known of a request from `add_requests`. */
export interface BridgedRequest {
  readonly operation: string;
  readonly input: IdempotentRequest['input'];
  readonly answer: StoredAnswer;
}

export class AddRequestsBridge {
  /** @param baseUrl of the API, for the `Location` of animals, which `add_requests` does not hold */
  constructor(private readonly baseUrl: string) {}

  find({ caller, token }: IdempotencyKey): BoundStatement {
    return { statement: FIND, values: [caller, token, keptToken(token)] };
  }

  /** What an earlier version would answer, made of what it has kept. An animal is kept as it was added. */
  read(row: TextRow): BridgedRequest {
    const [id, name, categoryId, status] = row as [PetId, PetName, CategoryId, PetStatus];
    return {
      operation: OPERATION,
      input: { name, categoryId, status },
      answer: {
        status: CREATED,
        location: `${this.baseUrl}/pets/${id}`,
        body: petJson({ id, name, categoryId, status }),
      },
    };
  }

  /** Keeps the token as it was sent, so that 1.0.0 finds it, too. */
  save({ caller, token, operation, input }: IdempotentRequest, { body }: StoredAnswer): BoundStatement {
    const isPet = operation === OPERATION;
    const { name, categoryId, status } = isPet ? (input as typeof NO_PET) : NO_PET;
    const id = isPet ? (/^\{"id":(\d+),/.exec(body ?? '')?.[1] ?? null) : '0';
    return { statement: SAVE, values: [caller, token, id, name, categoryId, status] };
  }
}
