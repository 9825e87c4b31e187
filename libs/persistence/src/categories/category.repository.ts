import {
  Category,
  type CategoryId,
  categoryJson,
  CategoryName,
  CategoryNameTakenError,
  type Page,
  type PageRequest,
  Pet,
  StoreUnavailableError,
} from '@petstore/pet-domain';
import type { DatabaseError } from 'pg';
import { type EntityManager, LessThan, Not, QueryFailedError } from 'typeorm';
import { TransactionConflictError } from '../connection/database-errors.js';
import { toPage } from '../sql/page.js';

/** How many ids are tried for a new category. */
const MAX_IDS = 100;

/** Categories: `tx.of(CategoryRepository)`, or in `UnitOfWork.read` for a query alone. */
export class CategoryRepository {
  constructor(private readonly manager: EntityManager) {}

  /** One page, the greatest id first. */
  async list({ limit, before }: PageRequest<CategoryId>): Promise<Page<CategoryId>> {
    const categories = await this.manager.find(Category, {
      where: before === undefined ? {} : { id: LessThan(before) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return toPage(categories, limit, categoryJson);
  }

  /** `undefined` when there is none. */
  async find(id: CategoryId): Promise<Category | undefined> {
    return (await this.manager.findOneBy(Category, { id })) ?? undefined;
  }

  /** The category, which no other transaction changes until the end of this one; `undefined` when there is none. */
  async lock(id: CategoryId): Promise<Category | undefined> {
    const lock = { mode: 'pessimistic_write' } as const;
    return (await this.manager.findOne(Category, { where: { id }, lock })) ?? undefined;
  }

  /** The category of this name, apart from what does not distinguish two names; `undefined` when there is none. */
  async findNamed(name: CategoryName): Promise<Category | undefined> {
    return (await this.manager.findOneBy(Category, { nameKey: CategoryName.keyOf(name) })) ?? undefined;
  }

  /** Whether an animal has its id. */
  isInUse({ id }: Category): Promise<boolean> {
    return this.manager.existsBy(Pet, { categoryId: id });
  }

  /**
   * Adds a category under an id that neither a category nor an animal has: otherwise a new "Dogs" could be given animals of
   * another kind.
   *
   * @throws {CategoryNameTakenError}
   * @throws {StoreUnavailableError} when the next 100 ids are in use; the next call goes on behind them
   */
  async insertWithNextId(name: CategoryName): Promise<Category> {
    const nameKey = CategoryName.keyOf(name);
    for (let attempt = 1; attempt <= MAX_IDS; attempt++) {
      if (await this.manager.existsBy(Category, { nameKey })) throw new CategoryNameTakenError();
      const insert = this.manager.createQueryBuilder().insert().into(Category);
      const inserted = await insert.values({ name, nameKey }).orIgnore().returning('id').execute();
      const [row] = inserted.raw as readonly { readonly id: CategoryId }[];
      // A PUT may have used the id before.
      if (row === undefined) continue;
      const category = new Category(row.id, name);
      if (!(await this.isInUse(category))) return category;
      await this.delete(category);
    }
    throw new StoreUnavailableError(`The next ${MAX_IDS} ids are in use.`);
  }

  /**
   * Adds a category where there was none.
   *
   * @throws {CategoryNameTakenError}
   * @throws {TransactionConflictError} another transaction has added one under this id meanwhile
   */
  async insert({ id, name, nameKey }: Category): Promise<void> {
    await this.manager.insert(Category, { id, name, nameKey }).catch(failOnDuplicate);
  }

  /**
   * Keeps the new name of a category that is locked.
   *
   * @throws {CategoryNameTakenError}
   */
  async update({ id, name, nameKey }: Category): Promise<void> {
    // Transactions that exchange the names of two categories would otherwise deadlock.
    if (await this.manager.existsBy(Category, { nameKey, id: Not(id) })) throw new CategoryNameTakenError();
    await this.manager.update(Category, { id }, { name, nameKey }).catch(failOnDuplicate);
  }

  async delete({ id }: Category): Promise<void> {
    await this.manager.delete(Category, { id });
  }
}

/** PostgreSQL has ended the transaction: only its error is another one. */
function failOnDuplicate(error: unknown): never {
  const constraint =
    error instanceof QueryFailedError ? (error.driverError as DatabaseError).constraint : undefined;
  if (constraint === 'categories_name_key') throw new CategoryNameTakenError('', { cause: error });
  if (constraint === 'categories_pkey') throw new TransactionConflictError({ cause: error });
  throw error;
}
