import { Injectable } from '@nestjs/common';
import { ApiError, type JsonResponse } from '@petstore/http-kernel';
import { type Transaction, UnitOfWork } from '@petstore/persistence';
import {
  Category,
  CategoryEvent,
  type CategoryId,
  CategoryInUseError,
  categoryJson,
  type CategoryName,
  CategoryNameTakenError,
} from '@petstore/pet-domain';
import { Idempotency, type RepeatableRequest } from '../idempotency/idempotency.js';
import type { Precondition } from '../operations/if-match.decorator.js';
import { Refusals } from '../operations/refusals.js';
import { CATEGORY_ERRORS } from './category.errors.js';

const REFUSALS = new Refusals([
  [CategoryNameTakenError, CATEGORY_ERRORS.category_name_taken],
  [CategoryInUseError, CATEGORY_ERRORS.category_in_use],
]);

/** What a PUT has made of a category. */
export interface PutCategory {
  readonly category: Category;
  /** Whether there was none under this id. */
  readonly isCreated: boolean;
}

/** Adding, renaming and removing categories. */
@Injectable()
export class CategoriesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
  ) {}

  /** @param respond makes the response, which an `Idempotency-Key` repeats */
  create(
    name: CategoryName,
    request: RepeatableRequest,
    respond: (category: Category) => JsonResponse,
  ): Promise<JsonResponse> {
    const created = this.idempotency.run({ ...request, input: { name } }, async (tx) => {
      const category = await tx.categories.insertWithNextId(name);
      tx.emit(CategoryEvent.created(category));
      return respond(category);
    });
    return REFUSALS.of(created);
  }

  /** Adds the category under this id, or renames the one that has it; the same name changes nothing. */
  put(id: CategoryId, name: CategoryName, precondition: Precondition): Promise<PutCategory> {
    return this.change(id, async (tx) => {
      const current = await tx.categories.lock(id);
      precondition.requireFor(current && categoryJson(current));
      if (current === undefined) {
        const category = new Category(id, name);
        await tx.categories.insert(category);
        tx.emit(CategoryEvent.created(category));
        return { category, isCreated: true };
      }
      const previous = current.rename(name);
      if (previous !== undefined) {
        await tx.categories.update(current);
        tx.emit(CategoryEvent.updated(current, previous));
      }
      return { category: current, isCreated: false };
    });
  }

  delete(id: CategoryId, precondition: Precondition): Promise<void> {
    return this.change(id, async (tx) => {
      const category = await tx.categories.lock(id);
      if (category === undefined) throw new ApiError(CATEGORY_ERRORS.category_not_found);
      precondition.requireFor(categoryJson(category));
      category.requireRemovable(await tx.categories.isInUse(category));
      await tx.categories.delete(category);
      tx.emit(CategoryEvent.deleted(category));
    });
  }

  private change<T>(id: CategoryId, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return REFUSALS.of(this.unitOfWork.run(work, { serialize: `category ${id}` }));
  }
}
