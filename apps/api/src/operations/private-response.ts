import type { ResponseHeaders } from '@petstore/http-kernel';

/** Of every answer with content: it belongs to the key that it was given to, and is asked for anew each time. */
export const PRIVATE_RESPONSE: ResponseHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization',
};
