import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, entityTag, otherMethod, READ_ONLY } from '@petstore/http-server';
import { RateLimitExceededError, RateLimiter, type RateLimits } from '@petstore/rate-limit';
import { RequestSubjects } from '../access/request-subjects.js';
import { doorOf } from '../paths.js';
import { DOCS_SETTINGS, type DocsSettings } from './docs.settings.js';
import { InstanceDescription } from './instance-description.js';
import { OPENAPI_PATHS, OpenApiText } from './openapi-text.js';
import { pageSecurity } from './page-security.js';

/** Where the build puts the files that are served; nothing is there for tests that run on the sources alone. */
const BUILT = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Under which each folder of files has them all. Browsers name `gzip` before `br`, and accept both alike. */
const CODINGS = ['br', 'gzip', 'identity'];

/** Responses at a time: of each a client that reads slowly holds an open file, and memory. */
const MOST_AT_ONCE = 256;

/** What pages of any origin load. */
const EMBEDDED = '/embed/v1';

/** Revalidated each time, so that no page mixes files of two versions. */
const REVALIDATED = 'public, no-cache';
const AN_HOUR = 'public, max-age=3600';

/** `Location` by path. Relative, so that clients stay below the path prefix of a proxy (RFC 9110, section 10.2.2). */
const REDIRECTS = { '/': 'docs', '/docs/': '../docs', '/docs/guide/': '../guide', '/docs/key/': '../key' };

/**
 * Middleware for all paths outside of the API, except health. Each request consumes from its address, in separate windows:
 * docs and API use up nothing of each other's limits.
 */
@Injectable()
export class DocsMiddleware {
  private readonly router = express.Router({ caseSensitive: true, strict: true });
  /** What one client address may send. */
  private readonly limits: RateLimits;
  private responding = 0;

  constructor(
    private readonly openApi: OpenApiText,
    private readonly limiter: RateLimiter,
    private readonly subjects: RequestSubjects,
    { origins }: InstanceDescription,
    @Inject(DOCS_SETTINGS.KEY) { docsPerMinute, docsPerDay }: DocsSettings,
  ) {
    this.limits = { perMinute: docsPerMinute, perDay: docsPerDay };
    // Before the limit, so that a page can read why a script is refused.
    this.router
      .use(pageSecurity(origins))
      .use(EMBEDDED, allowAnyPage)
      .use(this.limit, this.bound, readDocsOnly);
    for (const [path, target] of Object.entries(REDIRECTS))
      this.router.get(path, (_request, response) => {
        response.redirect(target);
      });
    this.router
      .get([...OPENAPI_PATHS], compression({ filter: () => true }), this.sendDocument)
      .use(EMBEDDED, filesIn('embed', AN_HOUR))
      .use(addEnding, filesIn('pages', REVALIDATED));
  }

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    this.router(request, response, next);
  };

  /** @throws RateLimitExceededError */
  private readonly limit: RequestHandler = async (request, _response, next) => {
    const subject = this.subjects.ofAddress(request, this.limits);
    const result = await this.limiter.consume({ ...subject, id: `${subject.id}:docs` });
    if (!result.admitted) throw new RateLimitExceededError(result);
    next();
  };

  /** @throws ApiError service_unavailable */
  private readonly bound: RequestHandler = (_request, response, next) => {
    // Its client has gone while the limit was asked: the event below has been.
    if (response.destroyed) return;
    if (this.responding >= MOST_AT_ONCE)
      throw new ApiError('service_unavailable', { headers: { 'Retry-After': '1' } });
    this.responding++;
    response.once('close', () => {
      this.responding--;
    });
    next();
  };

  /** The documents are public: tools in pages of any origin may read them, whatever CORS_ORIGINS says of the API. */
  private readonly sendDocument: RequestHandler = async ({ path }, response) => {
    const { mediaType, bytes, tag } = await this.openApi.at(path);
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': REVALIDATED, ETag: tag });
    // Express' own setters add a charset, which JSON has none of (RFC 8259, section 11).
    response.setHeader('Content-Type', mediaType);
    response.send(bytes);
  };
}

/** Pages may load a script of another origin under any policy of theirs. */
function allowAnyPage(_request: Request, response: Response, next: NextFunction): void {
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
}

/** @throws ApiError method_not_allowed */
function readDocsOnly(request: Request, response: Response, next: NextFunction): void {
  const { method, url } = request;
  if (doorOf(url) !== 'docs') next('router');
  else if (method === 'GET' || method === 'HEAD') next();
  else otherMethod(method, READ_ONLY).send(request, response);
}

/** The address of a page has no ending, and its file has one. */
function addEnding(request: Request, _response: Response, next: NextFunction): void {
  const ending = extname(request.path);
  if (ending === '') request.url = `${request.path}.html`;
  next(ending === '.html' ? 'router' : undefined);
}

/** The entity tags of the files in a folder, by their paths: the same for all instances, whenever each was built. */
function tagsIn(root: string): ReadonlyMap<string, string> {
  if (!existsSync(root)) return new Map();
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(files.map((file) => [file, entityTag(readFileSync(file))]));
}

/** Serves the files of a folder of the build, in the content coding that the client accepts. */
function filesIn(folder: string, cacheControl: string): RequestHandler {
  const handlers = new Map(
    CODINGS.map((coding) => {
      const root = join(BUILT, folder, coding);
      const tags = tagsIn(root);
      const setHeaders = (response: Response, file: string): void => {
        response.set({ 'Cache-Control': cacheControl, ETag: tags.get(file) });
        if (coding !== 'identity') response.set('Content-Encoding', coding);
      };
      const options = { index: false, redirect: false, acceptRanges: false, setHeaders } as const;
      return [coding, express.static(root, options)];
    }),
  );
  return (request, response, next) => {
    const coding = CODINGS.find((each) => request.acceptsEncodings(each) !== false) ?? 'identity';
    response.vary('Accept-Encoding');
    const passOn = (error?: unknown): void => {
      // What is refused of a file is told in JSON as it is.
      response.removeHeader('Content-Encoding');
      next(error);
    };
    void handlers.get(coding)?.(request, response, passOn);
  };
}
