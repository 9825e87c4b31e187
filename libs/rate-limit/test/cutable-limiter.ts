import { EventEmitter, once } from 'node:events';
import type { Redis } from 'ioredis';
import { type Clock, LocalLimiter } from '../src/local/local-limiter.js';
import type { BanPolicy } from '../src/policy/ban-policy.js';
import { RedisLimiter } from '../src/redis/redis-limiter.js';
import { RedisLink } from '../src/redis/redis-link.js';
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
  private readonly changes = new EventEmitter();
  private isAway = false;

  constructor(client: Redis, clock: Clock, banPolicy?: BanPolicy) {
    const observer = {
      degraded: () => void (this.isAway = true),
      recovered: () => {
        this.isAway = false;
        this.changes.emit('recovered');
      },
    };
    this.link = new CutableLink(client, { prefix: 'test:', banPolicy, observer, timeouts: TIMEOUTS, clock });
    this.limiter = new RedisLimiter(this.link, new LocalLimiter({ clock, banPolicy }), observer);
  }

  cut(): void {
    this.link.isCut = true;
  }

  /** Resolves when the limiter uses Redis again, and has told it what it admitted meanwhile. */
  async join(): Promise<void> {
    const recovered = this.isAway ? once(this.changes, 'recovered') : undefined;
    this.link.isCut = false;
    if (recovered === undefined) return;
    await recovered;
    // What is told is sent before this is.
    await this.limiter.peek({ id: 'nobody', limits: { perMinute: 1, perDay: 1 }, bannable: false });
  }
}
