import {
  defineHeaders,
  EmptyResponse,
  entityTag,
  JsonResponse,
  type ResponseHeaders,
  textHeader,
} from '@petstore/http-server';
import { GET_PET_DEPRECATION } from './operations.settings.js';

/** Header fields that responses of several resources carry, beside those of any HTTP API. */
export const CONTRACT_HEADERS = defineHeaders({
  Link: textHeader(
    'Links to other pages, about this operation, or to the explanation of this error (RFC 8288).',
    '</v1/pets?cursor=0k5w1yza15>; rel="next"',
    4096,
  ),
  Location: textHeader('Where the created resource is found.', '/v1/pets/42'),
  Deprecation: textHeader(
    'Since when the operation is deprecated: @ and a Unix timestamp in seconds (RFC 9745).',
    `@${Date.parse(GET_PET_DEPRECATION.since) / 1_000}`,
    32,
  ),
  Sunset: textHeader(
    'When the operation is expected to be removed (RFC 8594).',
    new Date(GET_PET_DEPRECATION.sunset).toUTCString(),
    64,
  ),
  'Idempotent-Replayed': {
    description:
      'Present when this is the first response to the same Idempotency-Key again; nothing was added now.',
    schema: { type: 'boolean', enum: [true] },
    example: true,
  },
});

/** Of a success: it belongs to the key that it was made for, and is revalidated each time. */
const PRIVATE: ResponseHeaders = { 'Cache-Control': 'private, no-cache' };
/** Of a success with a secret. */
const SECRET: ResponseHeaders = { 'Cache-Control': 'no-store' };

/** A page of a list as JSON text, with the links to other pages. */
export interface Page {
  readonly json: string;
  /** `undefined` when the page is all there is. */
  readonly link: string | undefined;
  /** Where the next page begins, as the link has it: a cursor, or the position in the feed. */
  readonly next?: string | undefined;
  /** Entity tag; made from the content when absent. */
  readonly tag?: string;
}

/** A new resource as JSON text, and where it is found. */
export interface Created {
  readonly json: string;
  readonly location: string;
  /** Whether this is the first response to an `Idempotency-Key` again. */
  readonly isReplayed?: boolean;
}

/** 200 or 304: what is read. */
export function readResponse(json: string): JsonResponse {
  return JsonResponse.conditional(json, PRIVATE);
}

/** 200 or 304: a page of a list. */
export function pageResponse({ json, link, tag }: Page): JsonResponse {
  return JsonResponse.conditional(json, { ...PRIVATE, ...(link !== undefined && { Link: link }) }, tag);
}

/** 200: what a change has made of a resource, with the tag that a precondition of the next change names. */
export function changedResponse(json: string): JsonResponse {
  return JsonResponse.ok(json, { ...PRIVATE, ETag: entityTag(json) });
}

/** 200: a resource after an action that no tag guards. */
export function actedResponse(json: string): JsonResponse {
  return JsonResponse.ok(json, PRIVATE);
}

/** 201: a new resource. */
export function createdResponse({ json, location, isReplayed = false }: Created): JsonResponse {
  return new JsonResponse(201, json, {
    ...PRIVATE,
    Location: location,
    ETag: entityTag(json),
    ...(isReplayed && { 'Idempotent-Replayed': 'true' }),
  });
}

/** 202: what is going to be done. */
export function acceptedResponse(json: string): JsonResponse {
  return new JsonResponse(202, json, PRIVATE);
}

/** 204: done. */
export function emptyResponse(): EmptyResponse {
  return new EmptyResponse(PRIVATE);
}

/** A response with a secret, which no cache may keep. @param headers beside `Cache-Control` */
export function secretResponse(status: 200 | 201, json: string, headers: ResponseHeaders = {}): JsonResponse {
  return new JsonResponse(status, json, { ...SECRET, ...headers });
}
