import type { Request, Response } from 'express';
import { ApiError, JsonObjectError, type JsonObject, parseJsonObject } from '@petstore/http-kernel';
import { readBody } from './body-reader.js';
import { contentCodingOf, decodeBody, MAX_ENCODED_BYTES } from './content-coding.js';
import { isJsonMediaType } from './media-type.js';

/** Most bytes of a request body, after any Content-Encoding is undone. */
export const MAX_BODY_BYTES = 16 * 1024;

/**
 * Reads the body of a request as one JSON object. It is called after the key and the limit have been
 * checked: the body of a refused request is never looked at.
 *
 * @param members names of those that are wanted; others are checked, and left out
 * @throws ApiError unsupported_media_type, payload_too_large, invalid_json or bad_request
 */
export async function readJsonObject(
  request: Request,
  response: Response,
  members: readonly string[],
): Promise<JsonObject> {
  const { headers } = request;
  if (!isJsonMediaType(headers['content-type'])) throw new ApiError('unsupported_media_type');
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
