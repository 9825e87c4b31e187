import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

const pageSecurityHeaders = helmet({
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

/** The header fields with which browsers restrict the docs page, as names and values from helmet, computed once. */
export const PAGE_SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] =
  fieldsOf(pageSecurityHeaders);

function fieldsOf(middleware: ReturnType<typeof helmet>): [name: string, value: string][] {
  const fields: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => fields.push([name, value]),
    removeHeader: () => undefined,
  } as unknown as ServerResponse;
  middleware({} as IncomingMessage, response, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return fields;
}
