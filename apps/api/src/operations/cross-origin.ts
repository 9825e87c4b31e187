import type { NestExpressApplication } from '@nestjs/platform-express';
import { HEADER_COMPONENTS } from '@petstore/http-kernel';

/** Seconds for which a browser need not ask again whether it may; more than two hours no browser heeds. */
const MAX_AGE = 7_200;

/** What callers of the API send besides the fields that need no permission. */
const SENT = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'X-Request-Id',
  'traceparent',
];

/**
 * Lets pages of other origins call the API from a browser (Fetch standard, section 3.2): they may send what its
 * operations take, and read every header field that the contract names. Cookies and the like stay out: a key in
 * a header field that the page itself sets is no credential in that standard's sense.
 *
 * A preflight goes on to what answers any OPTIONS, and is metered like it.
 *
 * @param origins exact ones, or `*` for all
 */
export function allowCrossOrigin(app: NestExpressApplication, origins: '*' | readonly string[]): void {
  app.enableCors({
    origin: origins === '*' ? origins : [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: SENT,
    exposedHeaders: Object.keys(HEADER_COMPONENTS),
    maxAge: MAX_AGE,
    preflightContinue: true,
  });
}
