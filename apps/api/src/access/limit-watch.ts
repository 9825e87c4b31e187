import type { KeyId, KeyUsageLog } from '@petstore/api-key';
import type {
  Degradation,
  RateLimitObserver,
  RateLimitSubject,
  RateLimitVerdict,
  Recovery,
} from '@petstore/rate-limit';
import type { Log } from '../log.js';
import { keyIdOf } from './subjects.js';

/** Takes down what the limiter does: refusals and bans beside the key, changes of state in the log. */
export class LimitWatch implements RateLimitObserver {
  constructor(
    private readonly log: Log,
    private readonly usage: KeyUsageLog,
  ) {}

  decided(subject: RateLimitSubject, verdict: RateLimitVerdict): void {
    if (verdict.admitted) return;
    const keyId = keyIdOf(subject);
    if (keyId !== undefined) this.usage.refused(keyId);
  }

  banned(subject: RateLimitSubject, { now, waitMs }: RateLimitVerdict): void {
    const until = new Date(now + waitMs);
    const keyId: KeyId | undefined = keyIdOf(subject);
    if (keyId !== undefined) this.usage.banned(keyId, until);
    this.log.warn({ keyId, until }, 'key banned: it went on after being refused');
  }

  degraded({ node, reason }: Degradation): void {
    this.log.error({ node, reason }, 'Redis is away: limits are kept in the process until it is back');
  }

  recovered({ node, afterMs }: Recovery): void {
    this.log.info({ node, afterMs }, 'Redis is back: limits are shared again');
  }
}
