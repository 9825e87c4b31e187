import {
  type NewPet,
  type Pet,
  type PetId,
  type PetPage,
  type PetPageRequest,
  type PetStore,
  PetStoreUnavailable,
  type Transaction,
} from '@petstore/pet-domain';
import { isConnectionFailure } from '../connection-failure.js';
import type { Pipeline } from '../pipeline/pipeline.js';
import { SharedReads } from '../pipeline/shared-reads.js';
import { PageReader, PetReader } from './pet-readers.js';
import { ADD_ONE, FIND, pageQuery } from './pet-statements.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { SharedAdditions } from './shared-additions.js';

/** Animals in PostgreSQL. What every request does goes through pipelines; what is part of a transaction, through that. */
export class PostgresPetStore implements PetStore {
  private readonly shared = new SharedReads();

  private readonly additions: SharedAdditions;

  /** @param writes apart from the reads, which would wait behind every commit */
  constructor(
    private readonly reads: Pipeline,
    writes: Pipeline,
  ) {
    this.additions = new SharedAdditions(writes);
  }

  list(request: PetPageRequest): Promise<PetPage> {
    const { limit, status = '', before = '' } = request;
    return this.shared.share(`${status} ${before} ${limit}`, (leaving) => {
      // One row more than the page tells whether there is another page, without counting anything.
      const [statement, values] = pageQuery(request, limit + 1);
      return this.reads.ask(statement, values, new PageReader(limit), leaving);
    });
  }

  add(pet: NewPet, transaction?: Transaction): Promise<Pet> {
    return transaction === undefined ? this.additions.add(pet) : addWithin(transaction, pet);
  }

  find(id: PetId): Promise<Uint8Array | undefined> {
    return this.shared.share(id, (leaving) => this.reads.ask(FIND, [id], new PetReader(), leaving));
  }
}

/** What the database says of a failed statement is made known by the unit of work. */
async function addWithin(transaction: Transaction, { name, categoryId, status }: NewPet): Promise<Pet> {
  const [[row] = []] = await PostgresTransaction.of(transaction).ask(
    bound(ADD_ONE, name, categoryId, status),
  );
  const id = row?.[0];
  if (id === undefined || id === null) throw new Error('The database gave a new animal no id.');
  return { id: id as PetId, name, categoryId, status };
}

/** {@link PetStoreUnavailable} when the database gave no answer; any other error as it is. */
export function unavailable(cause: Error): Error {
  if (!isConnectionFailure(cause)) return cause;
  return new PetStoreUnavailable('The database cannot be reached or does not answer.', { cause });
}
