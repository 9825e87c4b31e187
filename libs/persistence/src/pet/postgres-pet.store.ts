import { Inject, Injectable } from '@nestjs/common';
import { EventSignal } from '@petstore/event-feed';
import {
  type NewPet,
  type Pet,
  type PetId,
  type PetPage,
  type PetPageRequest,
  type PetsByIdsRequest,
  type PetStore,
  type Transaction,
  type UnitOfWork,
} from '@petstore/pet-domain';
import { valuesOf } from '../columns/columns-of.js';
import { OneRowReader } from '../columns/one-row.reader.js';
import { PageReader } from '../columns/page.reader.js';
import { Pipelines } from '../pipeline/pipelines.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { PostgresUnitOfWork } from '../unit-of-work/postgres-unit-of-work.js';
import { NEW_PET_COLUMNS, PET_LAYOUT } from './pet-columns.js';
import { PostgresPetAdditions } from './postgres-pet-additions.js';
import { byIdsQuery, FIND, pageQuery } from './pet-statements.js';
import { ADD_ONE } from './pet-write-statements.js';
import { PostgresPetChanges } from './postgres-pet-changes.js';

/** Animals in PostgreSQL. What every request does goes through pipelines; what is part of a transaction, through that. */
@Injectable()
export class PostgresPetStore implements PetStore {
  private readonly sharedReads = new SingleFlight();

  private readonly additions: PostgresPetAdditions;
  private readonly changes: PostgresPetChanges;

  constructor(
    @Inject(Pipelines) private readonly pipelines: Pipelines,
    @Inject(PostgresUnitOfWork) unitOfWork: UnitOfWork,
    @Inject(EventSignal) private readonly signal: EventSignal,
  ) {
    this.additions = new PostgresPetAdditions(pipelines.writes, signal);
    this.changes = new PostgresPetChanges(pipelines, unitOfWork, signal);
  }

  list(request: PetPageRequest): Promise<PetPage> {
    const { limit, status = '', categoryId = '', before = '' } = request;
    return this.sharedReads.share(`page ${status} ${categoryId} ${before} ${limit}`, (leaving) => {
      // One row more than the page tells whether there is another page, without counting anything.
      const [statement, values] = pageQuery(request, limit + 1);
      return this.pipelines.reads.ask(statement, values, new PageReader<PetId>(PET_LAYOUT, limit), leaving);
    });
  }

  listByIds(request: PetsByIdsRequest): Promise<Uint8Array> {
    const { ids, status = '', categoryId = '' } = request;
    return this.sharedReads.share(`ids ${ids.join()} ${status} ${categoryId}`, async (leaving) => {
      const [statement, values] = byIdsQuery(request);
      const reader = new PageReader<PetId>(PET_LAYOUT, ids.length);
      const { json } = await this.pipelines.reads.ask(statement, values, reader, leaving);
      return json;
    });
  }

  add(pet: NewPet, transaction?: Transaction): Promise<Pet> {
    return transaction === undefined ? this.additions.add(pet) : this.addWithin(transaction, pet);
  }

  find(id: PetId): Promise<Uint8Array | undefined> {
    return this.sharedReads.share(id, (leaving) =>
      this.pipelines.reads.ask(FIND, [id], new OneRowReader(PET_LAYOUT), leaving),
    );
  }

  change(id: PetId, decide: Parameters<PetStore['change']>[1]): Promise<Pet | undefined> {
    return this.changes.change(id, decide);
  }

  remove(id: PetId, check?: Parameters<PetStore['remove']>[1]): Promise<boolean> {
    return this.changes.remove(id, check);
  }

  /** What the database says of a failed statement is made known by the unit of work. */
  private async addWithin(transaction: Transaction, pet: NewPet): Promise<Pet> {
    const session = PostgresTransaction.of(transaction);
    const values = valuesOf(NEW_PET_COLUMNS, pet);
    const [[row] = []] = await session.ask(bound(ADD_ONE, ...values));
    const id = row?.[0];
    if (id === undefined || id === null) throw new Error('The database gave a new animal no id.');
    session.afterCommit(this.signal.raise);
    return { id: id as PetId, ...pet };
  }
}
