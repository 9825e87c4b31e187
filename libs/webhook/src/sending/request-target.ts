import type { Origin } from './guarded-connector.js';

/** Where a request goes. */
export interface RequestTarget extends Origin {
  readonly isSecure: boolean;
  readonly path: string;
}

/** @throws TypeError when it is no absolute URL */
export function requestTargetOf(text: string): RequestTarget {
  const url = new URL(text);
  const { protocol, hostname, pathname, search } = url;
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  return { protocol, host, port, isSecure, path: `${pathname}${search}` };
}
