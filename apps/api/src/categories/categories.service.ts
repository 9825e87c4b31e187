import { Injectable } from '@nestjs/common';
import { ApiError } from '@petstore/http-server';
import { CategoryRepository, type Transaction, UnitOfWork } from '@petstore/persistence';
import {
  Category,
  CategoryEvent,
  type CategoryId,
  categoryJson,
  type CategoryName,
} from '@petstore/pet-domain';
import type { IdempotencyKey, Precondition } from '../operations/request-headers.decorator.js';
import { LinkBuilder } from '../operations/link-builder.js';
import type { Created, Page } from '../operations/responses.js';
import { CATEGORY_LIST, type ListCategoriesQuery } from './category.dto.js';
import { CATEGORY_ERRORS } from './categories.docs.js';

/** A category as a PUT has left it, as JSON. */
export interface PutCategory {
  readonly json: string;
  /** Where it is found, if there was none under this id. */
  readonly location?: string;
}

/** Listing, adding, renaming and removing categories. */
@Injectable()
export class CategoriesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly links: LinkBuilder,
  ) {}

  /** @throws {ApiError} `invalid_cursor` */
  async list(query: ListCategoriesQuery): Promise<Page> {
    const list = CATEGORY_LIST.open(query);
    const page = await this.unitOfWork.read((from) => from.of(CategoryRepository).list(list.page));
    return list.respond(page, this.links);
  }

  /** The category as JSON. */
  async find(id: CategoryId): Promise<string> {
    const category = await this.unitOfWork.read((from) => from.of(CategoryRepository).find(id));
    if (category === undefined) throw new ApiError(CATEGORY_ERRORS.category_not_found);
    return categoryJson(category);
  }

  create(name: CategoryName, key: IdempotencyKey | undefined): Promise<Created> {
    return this.unitOfWork.run((tx) =>
      tx.idempotentRequests.once(key, { name }, async () => {
        const category = await tx.of(CategoryRepository).insertWithNextId(name);
        tx.emit(CategoryEvent.created(category));
        return this.created(category);
      }),
    );
  }

  /** Adds the category under this id, or renames the one that has it; the same name changes nothing. */
  put(id: CategoryId, name: CategoryName, precondition: Precondition): Promise<PutCategory> {
    return this.change(id, async (tx, categories) => {
      const current = await categories.lock(id);
      precondition.requireFor(current && categoryJson(current));
      if (current === undefined) {
        const category = new Category(id, name);
        await categories.insert(category);
        tx.emit(CategoryEvent.created(category));
        return this.created(category);
      }
      const previous = current.rename(name);
      if (previous !== undefined) {
        await categories.update(current);
        tx.emit(CategoryEvent.updated(current, previous));
      }
      return { json: categoryJson(current) };
    });
  }

  delete(id: CategoryId, precondition: Precondition): Promise<void> {
    return this.change(id, async (tx, categories) => {
      const category = await categories.lock(id);
      if (category === undefined) throw new ApiError(CATEGORY_ERRORS.category_not_found);
      precondition.requireFor(categoryJson(category));
      category.requireRemovable(await categories.isInUse(category));
      await categories.delete(category);
      tx.emit(CategoryEvent.deleted(category));
    });
  }

  private change<T>(
    id: CategoryId,
    work: (tx: Transaction, categories: CategoryRepository) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run((tx) => work(tx, tx.of(CategoryRepository)), {
      serialize: `category ${id}`,
    });
  }

  private created(category: Category): Created {
    return { json: categoryJson(category), location: this.links.to(`/categories/${category.id}`) };
  }
}
