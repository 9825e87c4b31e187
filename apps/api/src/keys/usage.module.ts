import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

/** The key of a request, and how it is used. */
@Module({
  imports: [StorageModule],
  controllers: [UsageController],
  providers: [UsageService],
  exports: [UsageService],
})
export class UsageModule {}
