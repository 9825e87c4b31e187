import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import type { RateLimitResult } from '../decision/rate-limit-result.js';
import type { RateLimiter } from '../decision/rate-limiter.js';
import { RateLimitExceededError } from './rate-limit-exceeded.error.js';
import { type HeaderTarget, setRateLimitHeaders } from './rate-limit-headers.js';

/** Charges HTTP requests, and puts the state of the limit on the responses. */
export class HttpRateLimiter {
  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Charges one request to `subject` and sets the headers of its response, whatever that will be.
   *
   * @throws RateLimitExceededError when the request is refused.
   */
  async charge(response: HeaderTarget, subject: RateLimitSubject): Promise<void> {
    const result = await this.limiter.charge(subject);
    setRateLimitHeaders(response, result);
    if (!result.admitted) throw new RateLimitExceededError(result);
  }

  /** Sets the headers of a response without charging or asking anything, as far as this process knows. */
  recall(response: HeaderTarget, subject: RateLimitSubject): void {
    setRateLimitHeaders(response, this.limiter.recall(subject));
  }

  /** Sets the headers of a response without charging anything; gives what a request would get now. */
  async describe(response: HeaderTarget, subject: RateLimitSubject): Promise<RateLimitResult> {
    const result = await this.limiter.peek(subject);
    setRateLimitHeaders(response, result);
    return result;
  }
}
