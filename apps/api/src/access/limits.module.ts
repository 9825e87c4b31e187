import { Module } from '@nestjs/common';
import { ApiKeyEventDispatcher, subjectIdOf } from '@petstore/api-key';
import { RateLimiter } from '@petstore/rate-limit';
import { RateLimitModule } from '@petstore/rate-limit/nest';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { ACCESS_SETTINGS, type AccessSettings } from './access.settings.js';
import { KeysModule } from './keys.module.js';
import { RateLimitTelemetry } from './rate-limit-telemetry.js';
import { createRedisClient } from './redis-client.js';
import { Subjects } from './subjects.js';

/** What is recorded of the limiter: metrics, the use of keys, lines of the log. */
@Module({
  imports: [TelemetryModule, KeysModule],
  providers: [RateLimitTelemetry],
  exports: [RateLimitTelemetry],
})
export class LimiterTelemetryModule {}

/** The rate limits of keys and addresses, and who is charged for a request. */
@Module({
  imports: [
    KeysModule,
    LimiterTelemetryModule,
    RateLimitModule.forRootAsync({
      imports: [LimiterTelemetryModule],
      inject: [ACCESS_SETTINGS.KEY, RateLimitTelemetry],
      useFactory: ({ redisUrls, bans, trustedProxies }: AccessSettings, observer: RateLimitTelemetry) => ({
        redis: redisUrls && createRedisClient(redisUrls),
        bans: bans ? undefined : ('off' as const),
        trustedProxies,
        observer,
      }),
    }),
  ],
  providers: [Subjects],
  exports: [RateLimitModule, LimiterTelemetryModule, Subjects],
})
export class LimitsModule {
  constructor(events: ApiKeyEventDispatcher, limiter: RateLimiter) {
    // Without Redis a ban lives in this process, where the operator's tool cannot reach it.
    events.listen((event) => {
      if (event.kind === 'unbanned') void limiter.liftBan(subjectIdOf(event.keyId));
    });
  }
}
