import { Inject, Injectable } from '@nestjs/common';
import { type KeyId, keyIdOfSubject, KeyUsageRecorder } from '@petstore/api-key';
import type {
  Degradation,
  RateLimitObserver,
  RateLimitSubject,
  RateLimitResult,
  Recovery,
} from '@petstore/rate-limit';
import type { Log } from '../logging/log.js';
import { LOG } from '../logging/logging.module.js';
import { LimiterMetrics } from './limiter-metrics.js';

/** Records what the limiter does: metrics, refusals and bans of keys, changes of state in the log. */
@Injectable()
export class RateLimitTelemetry implements RateLimitObserver {
  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly usage: KeyUsageRecorder,
    private readonly metrics: LimiterMetrics,
  ) {}

  decided(subject: RateLimitSubject, result: RateLimitResult): void {
    const keyId = keyIdOfSubject(subject.id);
    const outcome = result.admitted ? 'admitted' : result.banMs > 0 ? 'banned' : 'refused';
    this.metrics.decided(keyId === undefined ? 'address' : 'key', outcome);
    if (!result.admitted && keyId !== undefined) this.usage.refused(keyId);
  }

  banned(subject: RateLimitSubject, { now, retryAfterMs }: RateLimitResult): void {
    this.metrics.banned();
    const until = new Date(now + retryAfterMs);
    const keyId: KeyId | undefined = keyIdOfSubject(subject.id);
    if (keyId !== undefined) this.usage.banned(keyId, until);
    this.log.warn({ keyId, until }, 'key banned');
  }

  degraded({ node, reason }: Degradation): void {
    this.metrics.degraded(node);
    this.log.error({ node, reason }, 'redis unavailable, using local limits');
  }

  recovered({ node, afterMs }: Recovery): void {
    this.metrics.recovered(node);
    this.log.info({ node, afterMs }, 'redis available, sharing limits again');
  }
}
