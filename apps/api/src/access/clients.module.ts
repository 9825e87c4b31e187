import { Module } from '@nestjs/common';
import type { Configuration } from '@petstore/configuration';
import { CONFIGURATION } from '@petstore/configuration/nest';
import { TrustedProxies } from '@petstore/rate-limit';
import { ADDRESS_LIMITS, type AddressLimits, Subjects } from './subjects.js';

/** Tells whom a request comes from, and who is charged for it. */
@Module({
  providers: [
    {
      provide: TrustedProxies,
      inject: [CONFIGURATION],
      useFactory: ({ trustedProxies = [] }: Configuration) => new TrustedProxies(trustedProxies),
    },
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
  exports: [TrustedProxies, Subjects],
})
export class ClientsModule {}
