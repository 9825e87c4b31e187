import type { ServerResponse } from 'node:http';

/** Header fields of a response, by name. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** Sets header fields, each in the place of one of the same name. */
export function setHeaders(response: ServerResponse, headers: ResponseHeaders): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
}
