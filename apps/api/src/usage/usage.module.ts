import { Module } from '@nestjs/common';
import { KeyUsageHistory } from '@petstore/api-key';
import { PostgresKeyUsageHistory } from '@petstore/persistence';
import { StorageModule } from '../storage/storage.module.js';
import { UsageController } from './usage.controller.js';

/** How the key of a request is used. */
@Module({
  imports: [StorageModule],
  controllers: [UsageController],
  providers: [{ provide: KeyUsageHistory, useExisting: PostgresKeyUsageHistory }],
})
export class UsageModule {}
