import { Module } from '@nestjs/common';
import { Idempotency } from './idempotency.js';

/** For resources whose operations take an `Idempotency-Key`. Needs a `PostgresIdempotencyStore` from a global module. */
@Module({ providers: [Idempotency], exports: [Idempotency] })
export class IdempotencyModule {}
