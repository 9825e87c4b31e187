import type { ShortenPath } from '@petstore/http-server';

/** An animal's id as it stands in a path. */
const PET = /^\/v1\/pets\/[^/]+$/;

/** A short path that is answered as the long one would be. */
export const shortenPath: ShortenPath = (path) => {
  if (PET.test(path)) return '/v1/pets/-';
  return path === '/v1' || path.startsWith('/v1/') ? '/v1/-' : '/-/-';
};
