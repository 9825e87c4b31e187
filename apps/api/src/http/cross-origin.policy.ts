import { Inject, Injectable } from '@nestjs/common';
import cors, { type CorsOptions } from 'cors';
import type { Request, RequestHandler, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { kindOfKey } from '@petstore/api-key';
import { isOfApi } from '../paths.js';
import { OperationRegistry } from '../operations/operation-registry.js';
import { HTTP_SETTINGS, type HttpSettings, isListedOrigin } from './http.settings.js';

/**
 * Request header fields that responses of the contract depend on (RFC 9110, section 12.5.5). Every response names them, so
 * that no cache gives the response for one origin to another, whatever the operator allows at the time. They are set before
 * CORS, which adds nothing to a list with `Origin`.
 */
const VARY = 'Origin, Authorization';

/** Seconds for which a browser keeps the response to a preflight; browsers use at most two hours. */
const MAX_AGE_S = 7_200;

/** Request header fields of any operation, besides those that need no permission; tracing sends the last three. */
const SENT_ALWAYS = ['Authorization', 'X-Request-Id', 'traceparent', 'tracestate', 'baggage'];

/** Those of the Model Context Protocol. */
const SENT_BY_ASSISTANTS = ['Mcp-Method', 'Mcp-Name', 'MCP-Protocol-Version'];

/** A bearer credential, valid or not: the page of a mistyped publishable key is to read why it is refused. */
const BEARER = /^\s*bearer\s+(\S*)/i;

/**
 * Lets pages of other origins call the API from a browser (Fetch standard, section 3.2). Cookies are not allowed; a key in a
 * field that the page sets itself is no credential in that standard's sense.
 *
 * Pages of the origins that an operator lists may send what operations take, and read each response. Pages of others may
 * read the contract with a publishable key: a preflight, which carries no key, is answered for each of them with the methods
 * and request header fields of reads; a response only where the request has such a key, whatever the response says.
 */
@Injectable()
export class CrossOriginPolicy {
  private readonly allowListed: RequestHandler;
  private readonly allowOthers: RequestHandler;

  constructor(
    private readonly operations: OperationRegistry,
    @Inject(HTTP_SETTINGS.KEY) private readonly settings: HttpSettings,
  ) {
    const { methods, requestHeaders, readRequestHeaders, responseHeaders } = operations;
    const { corsOrigins = [] } = settings;
    const shared: CorsOptions = {
      exposedHeaders: responseHeaders.map(({ name }) => name),
      maxAge: MAX_AGE_S,
      preflightContinue: true,
    };
    this.allowListed = cors({
      ...shared,
      origin: corsOrigins === '*' ? corsOrigins : [...corsOrigins],
      methods: [...methods],
      allowedHeaders: [...SENT_ALWAYS, ...SENT_BY_ASSISTANTS, 'Content-Type', ...requestHeaders].sort(),
    });
    this.allowOthers = cors({
      ...shared,
      origin: true,
      methods: 'GET, HEAD',
      allowedHeaders: [...SENT_ALWAYS, ...readRequestHeaders].sort(),
    });
  }

  /** Sets the header fields of a response that say what its page may do. */
  apply(request: Request, response: Response): void {
    if (isOfApi(request.url)) response.setHeader('Vary', VARY);
    if (this.isOfOthers(request)) this.allowOthers(request, response, ignore);
    else if (this.settings.corsOrigins !== undefined) this.allowListed(request, response, ignore);
  }

  /** Whether it is to be answered for a page that the operator does not list. */
  private isOfOthers({ headers: { origin, authorization = '' }, method, url }: Request): boolean {
    if (origin === undefined) return false;
    if (method !== 'OPTIONS') {
      const [, key = ''] = BEARER.exec(authorization) ?? [];
      return kindOfKey(key) === 'publishable';
    }
    return !isListedOrigin(this.settings, origin) && this.operations.pathHeaders(url) !== undefined;
  }
}

/** For middleware that is done when it returns. */
const ignore = (): void => undefined;

/**
 * Whether a browser asks what a page may send (Fetch standard, section 3.2.2). It carries no key, and a page cannot read why
 * it is refused.
 */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}
