import { Inject, Injectable } from '@nestjs/common';
import {
  type AddOutcome,
  type AddRequest,
  type NewPet,
  type Pet,
  type PetId,
  type PetPage,
  type PetPageRequest,
  type PetStore,
} from '@petstore/pet-domain';
import { EntityManager } from 'typeorm';
import { Bulkhead } from '../connection/bulkhead.js';
import { RowValueReader } from '../columns/row-value-reader.js';
import { orUnavailable } from '../connection/store-unavailable.js';
import { Pipelines } from '../pipeline/pipelines.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { addOnce } from './add-once.js';
import { PET_COLUMNS } from './pet-columns.js';
import { PageReader, PetReader } from './pet-readers.js';
import { FIND, pageQuery } from './pet-statements.js';
import { PetInsertBatcher } from './pet-insert-batcher.js';

/**
 * Animals in PostgreSQL. What every request does goes through pipelines; a creation that must happen once is
 * a transaction of several statements and goes through TypeORM.
 */
@Injectable()
export class PostgresPetStore implements PetStore {
  private readonly sharedReads = new SingleFlight();

  private readonly inserts: PetInsertBatcher;

  /** @param transactions those of `manager` that this store may have at a time */
  constructor(
    @Inject(Pipelines) private readonly pipelines: Pipelines,
    @Inject(EntityManager) private readonly manager: EntityManager,
    @Inject(Bulkhead) private readonly transactions: Bulkhead,
  ) {
    this.inserts = new PetInsertBatcher(pipelines.writes);
  }

  list(request: PetPageRequest): Promise<PetPage> {
    const { limit, status = '', before = '' } = request;
    return this.sharedReads.share(`${status} ${before} ${limit}`, (leaving) => {
      // One row more than the page tells whether there is another page, without counting anything.
      const [statement, values] = pageQuery(request, limit + 1);
      return this.pipelines.reads.ask(statement, values, new PageReader(limit), leaving);
    });
  }

  add(pet: NewPet): Promise<Pet> {
    return this.inserts.add(pet);
  }

  addOnce(pet: NewPet, request: AddRequest): Promise<AddOutcome> {
    return orUnavailable(this.transactions.run(() => addOnce(this.manager, pet, request)));
  }

  load(id: PetId): Promise<Pet | undefined> {
    return this.pipelines.reads.ask(FIND, [id], new RowValueReader<Pet>(PET_COLUMNS));
  }

  find(id: PetId): Promise<Uint8Array | undefined> {
    return this.sharedReads.share(id, (leaving) =>
      this.pipelines.reads.ask(FIND, [id], new PetReader(), leaving),
    );
  }
}
