import { Injectable } from '@nestjs/common';
import {
  Category,
  type CategoryId,
  categoryJson,
  type CategoryPage,
  type CategoryPageRequest,
} from '@petstore/pet-domain';
import { LessThan } from 'typeorm';
import { toPage } from '../sql/page.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';

/**
 * Categories as readers get them. They are changed in a transaction, see `CategoryRepository`.
 *
 * Every method rejects with `StoreUnavailableError` when the database is unavailable.
 */
@Injectable()
export class CategoryStore {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** One page, the greatest id first. */
  async list({ limit, before }: CategoryPageRequest): Promise<CategoryPage> {
    const categories = await this.unitOfWork.read((manager) =>
      manager.find(Category, {
        where: before === undefined ? {} : { id: LessThan(before) },
        order: { id: 'DESC' },
        take: limit + 1,
      }),
    );
    return toPage(categories, limit, categoryJson);
  }

  /** `undefined` when there is none. */
  async find(id: CategoryId): Promise<Category | undefined> {
    return (await this.unitOfWork.read((manager) => manager.findOneBy(Category, { id }))) ?? undefined;
  }
}
