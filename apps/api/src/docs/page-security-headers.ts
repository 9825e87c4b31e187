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

/** What tells browsers how the docs page may be shown, as names and values: helmet says what they are, once. */
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
