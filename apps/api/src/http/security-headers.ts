import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';

const api = helmet({
  // Nothing of an answer is to be shown, run or framed by a browser.
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginEmbedderPolicy: false,
  xXssProtection: false,
});

const docs = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      // Swagger UI styles some of its elements one by one.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  xXssProtection: false,
});

/** Middleware: what browsers are told about every answer. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  (request.path.startsWith('/docs') ? docs : api)(request, response, next);
}
