import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { CategoriesController } from './categories.controller.js';
import { CategoriesService } from './categories.service.js';

/** Everything of categories. */
@Module({
  imports: [StorageModule],
  controllers: [CategoriesController],
  providers: [CategoriesService],
  exports: [CategoriesService],
})
export class CategoriesModule {}
