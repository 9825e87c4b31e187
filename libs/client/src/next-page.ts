import { UnexpectedResponseError } from './errors.js';
import { linksTo } from './link-header.js';
import type { RawResponse } from './read-response.js';

/**
 * A query parameter of the link to the next page; `undefined` without such a link. It alone is taken: the service may
 * know itself by another address than its clients do, and no other server may get the key.
 *
 * @throws UnexpectedResponseError if the response does not say clearly where to go on: an end would be a guess
 */
export function nextOf(response: RawResponse, name: string, operation: string): string | undefined {
  const { url, headers } = response;
  const { targets, isComplete } = linksTo(headers, url, 'next');
  const values = new Set(
    targets.map((target) => (URL.canParse(target, url) ? new URL(target, url).searchParams.get(name) : null)),
  );
  if (values.size === 0 && isComplete) return undefined;
  const [value] = values;
  if (values.size === 1 && value) return value;
  throw brokenList('The page does not say where to go on', operation, response);
}

/** @param what is wrong, without the full stop */
export function brokenList(
  what: string,
  operation: string,
  { status, text }: Pick<RawResponse, 'status' | 'text'> = { status: 200, text: '' },
): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `${what}: something in between has changed or repeated a response.`,
    status,
    text,
    operation,
  );
}
