import { Module } from '@nestjs/common';
import { PostgresCategoryStore } from '@petstore/persistence';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { CATEGORY_STORE, CategoriesController } from './categories.controller.js';
import { CategoryLinks } from './category-links.js';

/** Everything of categories. */
@Module({
  imports: [StorageModule, IdempotencyModule],
  controllers: [CategoriesController],
  providers: [CategoryLinks, { provide: CATEGORY_STORE, useExisting: PostgresCategoryStore }],
})
export class CategoriesModule {}
