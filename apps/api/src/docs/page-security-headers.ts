import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

export type PageHeader = readonly [name: string, value: string];

/**
 * The header fields with which browsers restrict the docs page, as names and values from helmet. Compute them once.
 *
 * @param origins beside its own, those that the page may send requests to
 */
export function pageSecurityHeaders(origins: readonly string[]): readonly PageHeader[] {
  return fieldsOf(
    helmet({
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
    }),
  );
}

function fieldsOf(middleware: ReturnType<typeof helmet>): PageHeader[] {
  const fields: PageHeader[] = [];
  const response = {
    setHeader: (name: string, value: string) => fields.push([name, value]),
    removeHeader: () => undefined,
  } as unknown as ServerResponse;
  middleware({} as IncomingMessage, response, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return fields;
}
