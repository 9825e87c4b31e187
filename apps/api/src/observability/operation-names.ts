import type { IncomingMessage } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';

/** What the router has found for a request, as Express notes it. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: string };
  /** As it came; `url` is cut where a folder of files is mounted. */
  readonly originalUrl?: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Routes that are no operation of the contract. */
const OTHERS: Readonly<Record<string, string>> = {
  '/livez': 'health',
  '/readyz': 'health',
  '/docs': 'docs',
  '/openapi.json': 'docs',
  '/openapi.yaml': 'docs',
};

/**
 * What a request is called in the log, in metrics and in traces: the id of its operation, else one of a few
 * words. Made from the document, so that a new operation has its name here from the start.
 */
export class OperationNames {
  private readonly names = new Map<string, string>();

  /** @param base path that every operation of the document stands under */
  learn({ paths }: OpenAPIObject, base: string): void {
    for (const [path, item] of Object.entries(paths)) {
      const route = base + path.replace(/\{(\w+)\}/g, ':$1');
      for (const method of METHODS) {
        const id = item[method]?.operationId;
        if (id !== undefined) this.names.set(`${method.toUpperCase()} ${route}`, id);
      }
    }
  }

  /** Once the router has seen the request. */
  of(request: RoutedRequest): string {
    const route = request.route?.path;
    if (typeof route !== 'string')
      return request.originalUrl?.startsWith('/docs/') === true ? 'docs' : 'unmatched';
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    return (
      this.names.get(`${method} ${route}`) ??
      OTHERS[route] ??
      (method === 'OPTIONS' ? 'options' : 'unmatched')
    );
  }
}
