import type { Redis } from 'ioredis';
import { RateLimiter } from '../src/index.js';
import { LocalCounters } from '../src/local/local-counters.js';
import type { BanPolicy } from '../src/policy.js';
import { RedisConnection } from '../src/redis/redis-connection.js';
import { RedisCounters } from '../src/redis/redis-counters.js';
import { ChangeLog } from './change-log.js';
import { PATIENT } from './start-limiter.js';

/** Nothing waits for long until Redis is used again. */
const TIMEOUTS = { ...PATIENT, probeDelayMs: 2 };

/** A way to a Redis that is cut whenever the test says so, at once and without a trace on the server. */
class CutableConnection extends RedisConnection {
  isCut = false;

  override run(...call: Parameters<RedisConnection['run']>): ReturnType<RedisConnection['run']> {
    return this.isCut ? Promise.reject(new Error('the way is cut')) : super.run(...call);
  }
}

/** A limiter whose Redis can be taken away and given back. */
export class CutableLimiter {
  readonly limiter: RateLimiter;
  private readonly connection: CutableConnection;
  private readonly changes = new ChangeLog();

  constructor(client: Redis, clock: () => number, banPolicy?: BanPolicy) {
    const options = { prefix: 'test:', banPolicy, observer: this.changes, timeouts: TIMEOUTS, clock };
    this.connection = new CutableConnection(client, options);
    const local = new LocalCounters(options);
    this.limiter = new RateLimiter(local, new RedisCounters(this.connection, local, options), this.changes);
  }

  cut(): void {
    this.connection.isCut = true;
  }

  /** Resolves when the limiter uses Redis again, and has sent it what it admitted meanwhile. */
  async join(): Promise<void> {
    this.connection.isCut = false;
    if (this.changes.isUsed) return;
    await this.changes.wait('recovered');
    // Unsynced requests are sent before this is.
    await this.limiter.peek({ id: 'nobody', limits: { perMinute: 1, perDay: 1 }, bannable: false });
  }
}
