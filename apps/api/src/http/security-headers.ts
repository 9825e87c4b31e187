import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';

/** For answers that no browser shall show, run or frame; few, because every answer carries them. */
const API: readonly (readonly [name: string, value: string])[] = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

/** For a page that a browser shows. */
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
  if (request.url.startsWith('/docs')) {
    docs(request, response, next);
    return;
  }
  for (const [name, value] of API) response.setHeader(name, value);
  next();
}
