import {
  type AddOutcome,
  type AddRequest,
  type NewPet,
  type Pet,
  type PetId,
  type PetPage,
  type PetPageRequest,
  type PetStore,
  PetStoreUnavailable,
} from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { isConnectionFailure } from '../connection-failure.js';
import type { Pipeline } from '../pipeline/pipeline.js';
import { SharedReads } from '../pipeline/shared-reads.js';
import { addOnce } from '../idempotency/add-requests.bridge.js';
import { PageReader, PetReader } from './pet-readers.js';
import { FIND, pageQuery } from './pet-statements.js';
import type { Bulkhead } from '../server/bulkhead.js';
import { SharedAdditions } from './shared-additions.js';

/**
 * Animals in PostgreSQL. What every request does goes through pipelines; a creation that must happen once is
 * a transaction of several statements and goes through TypeORM.
 */
export class PostgresPetStore implements PetStore {
  private readonly shared = new SharedReads();

  private readonly additions: SharedAdditions;

  /**
   * @param writes apart from the reads, which would wait behind every commit
   * @param transactions those of `manager` that this store may have at a time
   */
  constructor(
    private readonly reads: Pipeline,
    writes: Pipeline,
    private readonly manager: EntityManager,
    private readonly transactions: Bulkhead,
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

  add(pet: NewPet): Promise<Pet> {
    return this.additions.add(pet);
  }

  async addOnce(pet: NewPet, request: AddRequest): Promise<AddOutcome> {
    try {
      return await this.transactions.run(() => addOnce(this.manager, pet, request));
    } catch (error) {
      throw unavailable(error as Error);
    }
  }

  find(id: PetId): Promise<Uint8Array | undefined> {
    return this.shared.share(id, (leaving) => this.reads.ask(FIND, [id], new PetReader(), leaving));
  }
}

/** {@link PetStoreUnavailable} when the database gave no answer; any other error as it is. */
export function unavailable(cause: Error): Error {
  if (!isConnectionFailure(cause)) return cause;
  return new PetStoreUnavailable('The database cannot be reached or does not answer.', { cause });
}
