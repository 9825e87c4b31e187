import type { Request, Response } from 'express';
import {
  ApiError,
  JSON_MEDIA_TYPE,
  JsonObjectError,
  type JsonObject,
  parseJsonObject,
} from '@petstore/http-kernel';
import { readBody } from './body-reader.js';
import { contentCodingOf, decodeBody, MAX_ENCODED_BYTES } from './content-coding.js';
import { isOfMediaType } from './media-type.js';

const NOTHING: JsonObject = {};

/** Most bytes of a request body, after any Content-Encoding is undone. */
export const MAX_BODY_BYTES = 16 * 1024;

/**
 * Reads the body of a request as one JSON object. It is called after the key and the limit have been
 * checked: the body of a refused request is never looked at.
 *
 * @param members names of those that are wanted; others are checked, and left out
 * @param mediaTypes of JSON texts that are accepted
 * @throws ApiError unsupported_media_type, payload_too_large, invalid_json or bad_request
 */
export async function readJsonObject(
  request: Request,
  response: Response,
  members: readonly string[],
  mediaTypes: readonly string[] = [JSON_MEDIA_TYPE],
): Promise<JsonObject> {
  const { headers } = request;
  if (!isOfMediaType(headers['content-type'], mediaTypes)) throw notAccepted(request, mediaTypes);
  const coding = contentCodingOf(headers['content-encoding']);
  const most = coding === 'identity' ? MAX_BODY_BYTES : MAX_ENCODED_BYTES;
  const body = readBody(request, response, most);
  const bytes = decodeBody(coding, body instanceof Promise ? await body : body, MAX_BODY_BYTES);
  try {
    return parseJsonObject(bytes, members);
  } catch (error) {
    if (error instanceof JsonObjectError) throw new ApiError('invalid_json', { message: error.message });
    throw error;
  }
}

/**
 * The same, or an empty object where the body is empty and says nothing of its type.
 *
 * @throws ApiError see {@link readJsonObject}
 */
export async function readOptionalJsonObject(
  request: Request,
  response: Response,
  members: readonly string[],
  mediaTypes: readonly string[] = [JSON_MEDIA_TYPE],
): Promise<JsonObject> {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const isEmpty = coding === undefined && (length === undefined || Number(length) === 0);
  if (isEmpty) return NOTHING;
  if (type === undefined && coding !== undefined) {
    const body = readBody(request, response, MAX_BODY_BYTES);
    if ((body instanceof Promise ? await body : body).length === 0) return NOTHING;
    throw notAccepted(request, mediaTypes);
  }
  return readJsonObject(request, response, members, mediaTypes);
}

function notAccepted({ method }: Request, mediaTypes: readonly string[]): ApiError {
  return new ApiError('unsupported_media_type', {
    message: `The body must be sent as Content-Type: ${mediaTypes.join(' or ')}, in UTF-8.`,
    // RFC 5789, section 3.1.
    ...(method === 'PATCH' && { headers: { 'Accept-Patch': mediaTypes.join(', ') } }),
  });
}
