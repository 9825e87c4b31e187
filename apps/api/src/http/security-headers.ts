import type { ServerResponse } from 'node:http';
import helmet from 'helmet';

/** For answers that no browser shall show, run or frame; few, because every answer carries them. */
const API: readonly (readonly [name: string, value: string])[] = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

/** Tells browsers what every answer of the API is, and is not, meant for. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of API) response.setHeader(name, value);
}

/** Middleware: the same for a page that a browser shows. */
export const pageSecurityHeaders = helmet({
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
