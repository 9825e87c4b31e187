import { Module } from '@nestjs/common';
import { KEY_USAGE_HISTORY } from '@petstore/api-key';
import { PostgresKeyUsageHistory } from '@petstore/persistence';
import { StorageModule } from '../storage/storage.module.js';
import { UsageController } from './usage.controller.js';

/** How the key of a request is used. */
@Module({
  imports: [StorageModule],
  controllers: [UsageController],
  providers: [{ provide: KEY_USAGE_HISTORY, useExisting: PostgresKeyUsageHistory }],
})
export class UsageModule {}
