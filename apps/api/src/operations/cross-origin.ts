import type {
  CorsOptions,
  CorsOptionsDelegate,
} from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Request } from 'express';
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

/** Request header fields of any operation, besides those that need no permission; tracing sends the last three. */
const SENT_ALWAYS = ['Authorization', 'X-Request-Id', 'traceparent', 'tracestate', 'baggage'];

/** A credential with the prefix of publishable keys, in any case: a mistyped one, too, so that its page reads why. */
const PUBLISHABLE = /^\s*bearer +pet_pub_/i;

/**
 * Lets pages of other origins call the API from a browser (Fetch standard, section 3.2). Cookies are not allowed; a key in a
 * field that the page sets itself is no credential in that standard's sense.
 *
 * Pages of the origins that an operator lists may send what operations take, and read each response. Pages of others may
 * read the contract with a publishable key: a preflight, which carries no key, is answered for each of them with the
 * methods and request header fields of reads; a response only where the request has such a key, whatever the response says.
 *
 * A preflight continues to the handler of OPTIONS, and is rate limited like any.
 *
 * @param listed exact origins, or `*` for all
 */
export function allowCrossOrigin(
  app: NestExpressApplication,
  listed: '*' | readonly string[] = [],
  registry: OperationRegistry,
): void {
  const shared: CorsOptions = {
    exposedHeaders: registry.responseHeaders.map(({ name }) => name),
    maxAge: MAX_AGE_S,
    preflightContinue: true,
  };
  const ofListed: CorsOptions = {
    ...shared,
    origin: listed === '*' ? listed : listed.length > 0 && [...listed],
    methods: [...registry.methods],
    allowedHeaders: [...SENT_ALWAYS, 'Content-Type', ...registry.requestHeaders].sort(),
  };
  const ofOthers: CorsOptions = {
    ...shared,
    origin: true,
    methods: 'GET, HEAD',
    allowedHeaders: [...SENT_ALWAYS, ...registry.readRequestHeaders].sort(),
  };
  const optionsFor = ({ headers: { origin, authorization = '' }, method, url }: Request): CorsOptions => {
    if (origin === undefined) return ofListed;
    if (method !== 'OPTIONS') return PUBLISHABLE.test(authorization) ? ofOthers : ofListed;
    const isListed = listed === '*' || listed.includes(origin);
    return isListed || registry.pathHeaders(url) === undefined ? ofListed : ofOthers;
  };
  const delegate: CorsOptionsDelegate<Request> = (request, callback) => {
    callback(null, optionsFor(request));
  };
  app.enableCors(delegate);
}
