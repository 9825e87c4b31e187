import compression from 'compression';
import type { NextFunction, Request, Response } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { isNotModified, JSON_MEDIA_TYPE, otherMethod, READ_ONLY } from '@petstore/http-server';
import { RateLimitExceededError, RateLimiter, type RateLimits } from '@petstore/rate-limit';
import { RequestSubjects } from '../access/request-subjects.js';
import { doorOf, pathOf } from '../paths.js';
import { type DocsContent, isEmbedded, readDocsFiles, REDIRECTS } from './docs-content.js';
import { DOCS_SETTINGS, type DocsSettings } from './docs.settings.js';
import { InstanceDescription } from './instance-description.js';
import { isMissingPage, notFoundPage } from './not-found-page.js';
import { OpenApiText } from './openapi-text.js';
import { pageSecurity } from './page-security.js';

/**
 * Middleware for all paths outside of the API, except health. Each request consumes from its address, in separate windows:
 * docs and API use up nothing of each other's limits. The exact path then names a file in memory, or nothing; no path
 * leads to the file system.
 */
@Injectable()
export class DocsMiddleware {
  private readonly files = readDocsFiles();
  private readonly secure: ReturnType<typeof pageSecurity>;
  /** What one client address may send. */
  private readonly limits: RateLimits;

  constructor(
    private readonly openApi: OpenApiText,
    private readonly limiter: RateLimiter,
    private readonly subjects: RequestSubjects,
    { origins }: InstanceDescription,
    @Inject(DOCS_SETTINGS.KEY) { docsPerMinute, docsPerDay }: DocsSettings,
  ) {
    this.secure = pageSecurity(origins);
    this.limits = { perMinute: docsPerMinute, perDay: docsPerDay };
  }

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const door = doorOf(request.url);
    // Health is served without a limit: a balancer that probes must never be refused.
    if (door === 'docs' || door === 'none')
      this.respond(pathOf(request.url), request, response, next).catch(next);
    else next();
  };

  private async respond(
    path: string,
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    if (isEmbedded(path)) allowAnyPage(response);
    await this.consume(request);
    const location = REDIRECTS.get(path);
    const document = await this.openApi.at(path);
    const content = document ?? this.files.get(path);
    // The documents are public: tools in pages of any origin may read them, whatever CORS_ORIGINS says of the API.
    if (document !== undefined) response.setHeader('Access-Control-Allow-Origin', '*');
    if (content === undefined && location === undefined) {
      if (isMissingPage(request, path)) this.sendNotFound(path, request, response);
      else next();
    } else if (request.method === 'GET' || request.method === 'HEAD') {
      if (content !== undefined) this.send(content, request, response);
      else response.writeHead(302, { Location: location, 'Content-Length': 0 }).end();
    } else otherMethod(request.method, READ_ONLY).send(request, response);
  }

  private sendNotFound(path: string, request: Request, response: Response): void {
    this.secure(request, response, throwIt);
    response.vary('Accept');
    const bytes = Buffer.from(notFoundPage(path));
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.writeHead(404, { 'Content-Length': bytes.length }).end(bytes);
  }

  /** @throws RateLimitExceededError */
  private async consume(request: Request): Promise<void> {
    const subject = this.subjects.ofAddress(request, this.limits);
    const result = await this.limiter.consume({ ...subject, id: `${subject.id}:docs` });
    if (!result.admitted) throw new RateLimitExceededError(result);
  }

  /** @throws ApiError invalid_parameter, precondition_failed */
  private send(content: DocsContent, request: Request, response: Response): void {
    const { bytes, type, cacheControl, tag, brotli } = content;
    // Browsers name `gzip` first and accept both alike.
    const encoding = ['br', 'gzip'].find((one) => request.acceptsEncodings(one) !== false) ?? 'identity';
    // Strong: it names one sequence of bytes, and a compressed response has others (RFC 9110, section 8.8.3.3).
    const ownTag = encoding === 'identity' ? tag : tag.replace(/"$/, `-${encoding}"`);
    const isKnown = isNotModified(request, ownTag);
    this.secure(request, response, throwIt);
    if (isEmbedded(request.path)) allowAnyPage(response);
    // `compression` has a preference of its own among those that a client accepts.
    request.headers['accept-encoding'] = encoding;
    compress(request, response, throwIt);
    response.vary('Accept-Encoding');
    response.set({ 'Cache-Control': cacheControl, ETag: ownTag });
    if (isKnown) response.status(304).end();
    else {
      response.type(type);
      // Express adds a charset, which JSON has none of (RFC 8259, section 11).
      if (type.endsWith('json')) response.setHeader('Content-Type', JSON_MEDIA_TYPE);
      const body = encoding === 'br' ? (brotli ?? bytes) : bytes;
      if (body === brotli) response.setHeader('Content-Encoding', encoding);
      response.setHeader('Content-Length', body.length);
      response.end(body);
    }
  }
}

/** All documents are texts. A response without a body has nothing to compress. */
const compress = compression({ threshold: 0, filter: (_request, { statusCode }) => statusCode === 200 });

/** Pages may load a script of another origin under any policy of theirs, and read why they cannot. */
function allowAnyPage(response: Response): void {
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
}

/** For middleware that calls `next` before it returns. */
function throwIt(error?: unknown): void {
  if (error !== undefined) throw error as Error;
}
