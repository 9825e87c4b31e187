/** Largest requests. Messages of errors are made of these. */

/** Most bytes of a request body. */
export const MAX_BODY_BYTES = 16 * 1024;

/** Most bytes of a request line and its header fields together, as node's parser counts them. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Most header fields of a request, as in Apache; browsers behind several proxies send half of it. */
export const MAX_HEADER_FIELDS = 100;

/** Most bytes of a request target; far above any that this service gives out. */
export const MAX_TARGET_BYTES = 8192;

/** Bytes as people read them: 16 KiB. */
export function inKib(bytes: number): string {
  return `${bytes / 1024} KiB`;
}
