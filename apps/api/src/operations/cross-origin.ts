import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OperationRegistry } from './register-operations.js';

/**
 * Request header fields that responses of the contract depend on (RFC 9110, section 12.5.5). Named on every response,
 * so that no cache returns the response to one origin to another, whatever the operator allows at the time. It is there
 * before CORS, which adds nothing to a list that names `Origin`.
 */
export const VARY = 'Origin, Authorization';

/** Seconds for which a browser need not ask again whether it may; browsers use at most two hours. */
const MAX_AGE_S = 7_200;

/** What callers send with any operation, besides the fields that need no permission; tracing sends the last three. */
const SENT_ALWAYS = [
  ...['Authorization', 'Content-Type', 'X-Request-Id'],
  ...['traceparent', 'tracestate', 'baggage'],
];

/**
 * Lets pages of other origins call the API from a browser (Fetch standard, section 3.2): they may use the methods
 * that its operations have, send what these take, and read every header field that their answers name. Cookies and
 * the like stay out: a key in a header field that the page itself sets is no credential in that standard's sense.
 *
 * A preflight goes on to what answers any OPTIONS, and is metered like it.
 *
 * @param origins exact ones, or `*` for all
 */
export function allowCrossOrigin(
  app: NestExpressApplication,
  origins: '*' | readonly string[],
  { methods, requestHeaders, responseHeaders }: OperationRegistry,
): void {
  app.enableCors({
    origin: origins === '*' ? origins : [...origins],
    methods: [...methods],
    allowedHeaders: [...SENT_ALWAYS, ...requestHeaders].sort(),
    exposedHeaders: responseHeaders.map(({ name }) => name),
    maxAge: MAX_AGE_S,
    preflightContinue: true,
  });
}
