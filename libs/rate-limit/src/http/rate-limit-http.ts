import type { RequestListener, ServerResponse } from 'node:http';
import type { RateLimitResult } from '../decision/rate-limit-result.js';
import type { RateLimiter } from '../limiter/rate-limiter.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';
import { byAddress, type SubjectOf } from './subject-of.js';

/** What a refused client reads. */
const MESSAGES = {
  rate_limit_exceeded: 'Too many requests. Try again after the time in Retry-After.',
  api_key_temporarily_banned: 'Banned for going on after refusals. Try again after the time in Retry-After.',
} as const;

/**
 * Limits a server of `node:http`: `createServer(rateLimitHttp(limiter, listener))`. Every response gets the header fields;
 * a refused request gets 429 with `{"code", "message", "status"}`, and the listener does not see it.
 *
 * @param subjectOf who is charged; the client's address unless said
 */
export function rateLimitHttp(
  limiter: RateLimiter,
  listener: RequestListener,
  subjectOf: SubjectOf = byAddress(),
): RequestListener {
  return (request, response) => {
    const subject = subjectOf(request);
    if (subject === undefined) {
      listener(request, response);
      return;
    }
    // The limiter never rejects. What the listener throws ends the process, as it does without a limiter.
    void limiter.charge(subject).then((result) => {
      setRateLimitHeaders(response, result);
      if (result.admitted) listener(request, response);
      else refuse(response, result);
    });
  };
}

function refuse(response: ServerResponse, { refusal: code = 'rate_limit_exceeded' }: RateLimitResult): void {
  const body = JSON.stringify({ code, message: MESSAGES[code], status: 429 });
  response.writeHead(429, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
