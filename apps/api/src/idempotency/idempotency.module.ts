import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { Idempotency } from './idempotency.js';

/** For resources whose operations take an `Idempotency-Key`. */
@Module({ imports: [StorageModule], providers: [Idempotency], exports: [Idempotency] })
export class IdempotencyModule {}
