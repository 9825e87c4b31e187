import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OperationRegistry } from './register-operations.js';

/**
 * Request header fields that responses of the contract depend on (RFC 9110, section 12.5.5). Every response names them, so
 * that no cache gives the response for one origin to another, whatever the operator allows at the time. They are set before
 * CORS, which adds nothing to a list with `Origin`.
 */
export const VARY = 'Origin, Authorization';

/** Seconds for which a browser keeps the response to a preflight; browsers use at most two hours. */
const MAX_AGE_S = 7_200;

/** Request header fields of any operation, besides those that need no permission; tracing sends three of them. */
const SENT_ALWAYS = [
  ...['Authorization', 'Content-Type', 'X-Request-Id'],
  ...['traceparent', 'tracestate', 'baggage'],
  // Of the Model Context Protocol.
  ...['Mcp-Method', 'Mcp-Name', 'MCP-Protocol-Version'],
];

/**
 * Lets pages of other origins call the API from a browser (Fetch standard, section 3.2): with the methods and request header
 * fields of the operations, and access to all response header fields. Cookies are not allowed; a key in a field that the
 * page sets itself is no credential in that standard's sense.
 *
 * A preflight continues to the handler of OPTIONS, and is rate limited like any.
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
