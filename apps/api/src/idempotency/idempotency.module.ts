import { Module } from '@nestjs/common';
import { Database, PostgresIdempotencyStore } from '@petstore/persistence';
import { API_BASE_URL } from '../operations/api-base-url.js';
import { StorageModule } from '../storage/storage.module.js';
import { Idempotency } from './idempotency.js';

/** For resources whose operations take an `Idempotency-Key`. */
@Module({
  imports: [StorageModule],
  providers: [
    Idempotency,
    {
      provide: PostgresIdempotencyStore,
      inject: [Database, API_BASE_URL],
      useFactory: (database: Database, baseUrl: string) => database.idempotencyStore(baseUrl),
    },
  ],
  exports: [Idempotency],
})
export class IdempotencyModule {}
