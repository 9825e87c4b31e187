import type { Redis } from 'ioredis';
import type { Clock } from '../src/local/local-limiter.js';
import type { BanPolicy } from '../src/policy/ban-policy.js';
import { RedisLimiter } from '../src/redis/redis-limiter.js';
import { RedisLink } from '../src/redis/redis-link.js';
import { ChangeLog } from './change-log.js';
import { PATIENT } from './limiter-on-clock.js';

/** Nothing waits for long until Redis is used again. */
const TIMEOUTS = { ...PATIENT, probeDelayMs: 2 };

/** A way to a Redis that is cut whenever the test says so, at once and without a trace on the server. */
class CutableLink extends RedisLink {
  isCut = false;

  override run(...call: Parameters<RedisLink['run']>): ReturnType<RedisLink['run']> {
    return this.isCut ? Promise.reject(new Error('the way is cut')) : super.run(...call);
  }
}

/** A limiter whose Redis can be taken away and given back. */
export class CutableLimiter {
  readonly limiter: RedisLimiter;
  private readonly link: CutableLink;
  private readonly changes = new ChangeLog();

  constructor(client: Redis, clock: Clock, banPolicy?: BanPolicy) {
    const options = { prefix: 'test:', banPolicy, observer: this.changes, timeouts: TIMEOUTS, clock };
    this.link = new CutableLink(client, options);
    this.limiter = new RedisLimiter(this.link, options);
  }

  cut(): void {
    this.link.isCut = true;
  }

  /** Resolves when the limiter uses Redis again, and has told it what it admitted meanwhile. */
  async join(): Promise<void> {
    this.link.isCut = false;
    if (this.changes.names.at(-1) !== 'degraded') return;
    await this.changes.wait('recovered');
    // What is told is sent before this is.
    await this.limiter.peek({ id: 'nobody', limits: { perMinute: 1, perDay: 1 }, bannable: false });
  }
}
