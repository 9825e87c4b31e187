import { Inject, Injectable } from '@nestjs/common';
import { EventSignal } from '@petstore/event-feed';
import {
  type Category,
  CategoryEvent,
  type CategoryId,
  CategoryInUseError,
  CategoryName,
  CategoryNameTakenError,
  type CategoryPage,
  type CategoryPageRequest,
  type CategoryStore,
  type PutOutcome,
  StoreUnavailableError,
  type Transaction,
  type UnitOfWork,
} from '@petstore/pet-domain';
import { DatabaseError } from 'pg';
import { OneRowReader } from '../columns/one-row.reader.js';
import { PageReader } from '../columns/page.reader.js';
import { writeEvent } from '../event/outbox.js';
import { Pipelines } from '../pipeline/pipelines.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { isTrue } from '../unit-of-work/statement-batch.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { PostgresUnitOfWork } from '../unit-of-work/postgres-unit-of-work.js';
import {
  ADD,
  ADD_WITH_ID,
  CATEGORY_LAYOUT,
  FIND,
  IN_USE,
  IS_NAME_TAKEN,
  LOCK,
  PAGE,
  PAGE_BEFORE,
  REMOVE,
  RENAME,
  TAKE_TURN_TO_RENAME,
} from './category-statements.js';

/** Every new name is looked for among the others, so that whoever changes a category waits for those who change others. */
const TURN = 'categories';

/** How many ids are tried that an animal or a category may have. */
const ATTEMPTS = 100;

/** Categories in PostgreSQL. Reads go through pipelines, changes are transactions. */
@Injectable()
export class PostgresCategoryStore implements CategoryStore {
  private readonly sharedReads = new SingleFlight();

  constructor(
    @Inject(Pipelines) private readonly pipelines: Pipelines,
    @Inject(PostgresUnitOfWork) private readonly unitOfWork: UnitOfWork,
    @Inject(EventSignal) private readonly signal: EventSignal,
  ) {}

  list({ limit, before }: CategoryPageRequest): Promise<CategoryPage> {
    return this.sharedReads.share(`list ${limit} ${before ?? ''}`, (leaving) => {
      const count = String(limit + 1);
      const [statement, values] = before === undefined ? [PAGE, [count]] : [PAGE_BEFORE, [before, count]];
      const reader = new PageReader<CategoryId>(CATEGORY_LAYOUT, limit);
      return this.pipelines.reads.ask(statement, values, reader, leaving);
    });
  }

  find(id: CategoryId): Promise<Uint8Array | undefined> {
    return this.sharedReads.share(id, (leaving) =>
      this.pipelines.reads.ask(FIND, [id], new OneRowReader(CATEGORY_LAYOUT), leaving),
    );
  }

  add(name: CategoryName, transaction?: Transaction): Promise<Category> {
    if (transaction !== undefined) return this.addWithin(transaction, name);
    return this.unitOfWork.run((own) => this.addWithin(own, name));
  }

  private async addWithin(transaction: Transaction, name: CategoryName): Promise<Category> {
    const session = PostgresTransaction.of(transaction);
    const category = { id: await freeId(session, name), name };
    this.write(session, CategoryEvent.created(category));
    return category;
  }

  put(category: Category, check: (current: Category | undefined) => void): Promise<PutOutcome> {
    return withNameError(
      this.unitOfWork.run(async (transaction) => {
        const session = PostgresTransaction.of(transaction);
        const { id, name } = category;
        const key = CategoryName.keyOf(name);
        let current = await lock(session, id);
        if (current === undefined) {
          check(undefined);
          const [[added] = []] = await session.ask(bound(ADD_WITH_ID, id, name, key));
          if (added !== undefined) {
            this.write(session, CategoryEvent.created(category));
            return 'created';
          }
          current = await lock(session, id);
        }
        check(current);
        if (current === undefined) throw await this.collision(session, key);
        if (current.name === name) return 'unchanged';
        await session.ask(bound(TAKE_TURN_TO_RENAME), bound(RENAME, id, name, key));
        this.write(session, CategoryEvent.updated(current, category));
        return 'renamed';
      }, TURN),
    );
  }

  remove(id: CategoryId, check: (current: Category) => void): Promise<boolean> {
    return this.unitOfWork.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      const current = await lock(session, id);
      if (current === undefined) return false;
      check(current);
      const [[[isInUse] = []] = []] = await session.ask(bound(IN_USE, id));
      if (isTrue(isInUse)) throw new CategoryInUseError('Animals have this category.');
      session.defer(bound(REMOVE, id));
      this.write(session, CategoryEvent.deleted(current));
      return true;
    }, TURN);
  }

  /** Why neither a category could be made nor one is there. */
  private async collision(session: PostgresTransaction, key: string): Promise<Error> {
    const [[[isTaken] = []] = []] = await session.ask(bound(IS_NAME_TAKEN, key));
    if (isTrue(isTaken)) return new CategoryNameTakenError('Another category has this name.');
    // Made and removed by others in between.
    return new StoreUnavailableError('The category changes too often.');
  }

  private write(session: PostgresTransaction, { type, data }: CategoryEvent): void {
    session.defer(writeEvent('category', type, data));
    session.afterCommit(this.signal.raise);
  }
}

async function lock(session: PostgresTransaction, id: CategoryId): Promise<Category | undefined> {
  const [[row] = []] = await session.ask(bound(LOCK, id));
  return row === undefined ? undefined : { id, name: row[1] as CategoryName };
}

/**
 * Inserts the category with an id that is nobody's: otherwise a new "Dogs" could be given animals of another kind.
 *
 * @throws {CategoryNameTakenError}
 */
async function freeId(session: PostgresTransaction, name: CategoryName): Promise<CategoryId> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const [[row] = []] = await withNameError(session.ask(bound(ADD, name, CategoryName.keyOf(name))));
    if (row === undefined) continue;
    const [id = null, isInUse] = row;
    if (id === null) throw new Error('The database gave a new category no id.');
    if (!isTrue(isInUse)) return id as CategoryId;
    session.defer(bound(REMOVE, id));
  }
  throw new StoreUnavailableError(`Of ${ATTEMPTS} ids none was free.`);
}

async function withNameError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.constraint !== 'categories_name_key') throw error;
    throw new CategoryNameTakenError('Another category has this name.', { cause: error });
  }
}
