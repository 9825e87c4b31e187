import type { NextFunction, Request, Response } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, isNotModified, otherMethod, READ_ONLY } from '@petstore/http-server';
import { RateLimiter, type RateLimits } from '@petstore/rate-limit';
import { RATE_LIMIT_ERRORS } from '../access/access.errors.js';
import { RateLimitSubjects } from '../access/rate-limit-subjects.js';
import { HEALTH_PATHS } from '../operations/paths.js';
import { readDocsFiles, REDIRECTS } from './docs-files.js';
import { DOCS_SETTINGS, type DocsSettings } from './docs.settings.js';
import { InstanceDescription } from './instance-description.js';
import { acceptedEncoding, type KeptContent } from './kept-content.js';
import { OpenApiText } from './openapi-text.js';
import { pageSecurity } from './page-security.js';

/**
 * Middleware for all paths outside of `/v1`, except health. Each request consumes from its address, in separate windows:
 * docs and API use up nothing of each other's limits. The exact path then names a file in memory, or nothing; no path
 * leads to the file system.
 */
@Injectable()
export class Docs {
  private readonly files = readDocsFiles();
  private readonly secure: ReturnType<typeof pageSecurity>;
  /** What one client address may send. */
  private readonly limits: RateLimits;

  constructor(
    private readonly openApi: OpenApiText,
    private readonly limiter: RateLimiter,
    private readonly subjects: RateLimitSubjects,
    { origins }: InstanceDescription,
    @Inject(DOCS_SETTINGS.KEY) { docsPerMinute, docsPerDay }: DocsSettings,
  ) {
    this.secure = pageSecurity(origins);
    this.limits = { perMinute: docsPerMinute, perDay: docsPerDay };
  }

  readonly serve = (request: Request, response: Response, next: NextFunction): void => {
    const { url } = request;
    if (url.startsWith('/v1/')) {
      next();
      return;
    }
    const path = pathOf(url);
    // Health is served without a limit: a balancer that probes must never be refused.
    if (path === '/v1' || HEALTH_PATHS.has(path)) next();
    else this.respond(path, request, response, next).catch(next);
  };

  private async respond(
    path: string,
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    await this.consume(request);
    const location = REDIRECTS.get(path);
    const content = (await this.openApi.at(path)) ?? this.files.get(path);
    if (content === undefined && location === undefined) next();
    else if (request.method === 'GET' || request.method === 'HEAD') {
      if (content !== undefined) await this.send(content, request, response);
      else response.writeHead(302, { Location: location, 'Content-Length': 0 }).end();
    } else otherMethod(request.method, READ_ONLY).send(request, response);
  }

  /** @throws ApiError rate_limit_exceeded */
  private async consume(request: Request): Promise<void> {
    const subject = this.subjects.ofAddress(request, this.limits);
    const { admitted, retryAfterMs } = await this.limiter.consume({ ...subject, id: `${subject.id}:docs` });
    if (admitted) return;
    throw new ApiError(RATE_LIMIT_ERRORS.rate_limit_exceeded, {
      message: 'This address has sent too many requests without a key for the documentation.',
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
    });
  }

  /** @throws ApiError invalid_parameter, precondition_failed */
  private async send(content: KeptContent, request: Request, response: Response): Promise<void> {
    const { bytes, encoding, tag } = await content.as(acceptedEncoding(request.headers['accept-encoding']));
    const isKnown = isNotModified(request, tag);
    this.secure(request, response, (error) => {
      if (error !== undefined) throw error as Error;
    });
    response.vary('Accept-Encoding');
    response.setHeader('Cache-Control', content.cacheControl);
    response.setHeader('ETag', tag);
    if (isKnown) {
      response.writeHead(304).end();
      return;
    }
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', content.mediaType);
    response.setHeader('Content-Length', bytes.length);
    response.writeHead(200).end(bytes);
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
