import { entityTag, JsonResponse, type ResponseHeaders } from '@petstore/http-kernel';

/** Of a success: it belongs to the key that it was made for, and is revalidated each time. */
export const PRIVATE_RESPONSE: ResponseHeaders = { 'Cache-Control': 'private, no-cache' };

/** 200 or 304: what is read. @param tag the entity tag; made from the content when absent */
export function readResponse(json: Uint8Array | string, tag?: string): JsonResponse {
  return JsonResponse.conditional(json, PRIVATE_RESPONSE, tag);
}

/** 200 or 304: a page of a list. @param link the `Link` field; absent when the page is all there is */
export function pageResponse(
  json: Uint8Array | string,
  link: string | undefined,
  tag?: string,
): JsonResponse {
  return JsonResponse.conditional(
    json,
    link === undefined ? PRIVATE_RESPONSE : { ...PRIVATE_RESPONSE, Link: link },
    tag,
  );
}

/** 200: what a change has made of a resource, with the tag that the next change can be guarded by. */
export function changedResponse(json: string): JsonResponse {
  return JsonResponse.ok(json, { ...PRIVATE_RESPONSE, ETag: entityTag(json) });
}

/** 201: a new resource. @param location where it is found */
export function createdResponse(json: string, location: string): JsonResponse {
  return JsonResponse.created(json, { ...PRIVATE_RESPONSE, Location: location, ETag: entityTag(json) });
}
