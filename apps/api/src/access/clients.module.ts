import { Module } from '@nestjs/common';
import type { Configuration } from '../configuration/configuration.js';
import { CONFIGURATION } from '../configuration/configuration.module.js';
import { LimitsModule } from './limits.module.js';
import { ADDRESS_LIMITS, type AddressLimits, Subjects } from './subjects.js';

/** Finds out whom a request comes from, and who is charged for it. */
@Module({
  imports: [LimitsModule],
  providers: [
    {
      provide: ADDRESS_LIMITS,
      inject: [CONFIGURATION],
      useFactory: (configuration: Configuration): AddressLimits => ({
        withoutKey: { perMinute: configuration.anonymousPerMinute, perDay: configuration.anonymousPerDay },
        docs: { perMinute: configuration.docsPerMinute, perDay: configuration.docsPerDay },
      }),
    },
    Subjects,
  ],
  exports: [Subjects],
})
export class ClientsModule {}
