import helmet from 'helmet';

/**
 * Middleware that sets the header fields with which browsers restrict the docs page. It calls `next` before it returns.
 *
 * @param origins beside its own, those that the page may send requests to
 */
export function pageSecurity(origins: readonly string[]): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Swagger UI styles some of its elements one by one.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...origins],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    xXssProtection: false,
  });
}
