import { Global, Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { Idempotency } from './idempotency.js';

/** Creations that are carried out once for each `Idempotency-Key`; resources import nothing for it. */
@Global()
@Module({ imports: [StorageModule], providers: [Idempotency], exports: [Idempotency] })
export class IdempotencyModule {}
