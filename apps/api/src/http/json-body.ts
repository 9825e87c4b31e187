import express, { type Request, type Response } from 'express';
import { ApiError, JsonObjectError, type JsonObject, parseJsonObject } from '@petstore/http-kernel';

/** Most bytes of a request body, after any Content-Encoding is undone. */
export const MAX_BODY_BYTES = 16 * 1024;

const readBytes = express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: true });

/**
 * Reads the body of a request as one JSON object. It is called after the key and the limit have been
 * checked: the body of a refused request is never looked at.
 *
 * @throws ApiError unsupported_media_type, payload_too_large, invalid_json or bad_request
 */
export async function readJsonObject(request: Request, response: Response): Promise<JsonObject> {
  requireJson(request.headers['content-type']);
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (failure?: unknown) => {
      if (failure === undefined) resolve();
      else reject(translate(failure));
    });
  });
  try {
    // Left undefined by the reader when the request has no body at all.
    return parseJsonObject((request.body as Buffer | undefined) ?? Buffer.alloc(0));
  } catch (error) {
    if (error instanceof JsonObjectError) throw new ApiError('invalid_json', { message: error.message });
    throw error;
  }
}

const PARAMETER = /^[\t ]*([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([\w!#$%&'*+.^`|~-]+))[\t ]*$/;

/** `application/json`, in UTF-8 or without saying so (RFC 8259, section 8.1; RFC 9110, section 8.3). */
function requireJson(contentType: string | undefined): void {
  const [mediaType = '', ...parameters] = (contentType ?? '').split(';');
  const acceptable =
    mediaType.trim().toLowerCase() === 'application/json' &&
    parameters.every((parameter) => {
      if (parameter.trim() === '') return true;
      const [, name = '', quoted, token] = PARAMETER.exec(parameter) ?? [];
      return name !== '' && (name.toLowerCase() !== 'charset' || /^utf-?8$/i.test(quoted ?? token ?? ''));
    });
  if (!acceptable) throw new ApiError('unsupported_media_type');
}

/** The reader's failures carry a `type` that names them; their words are for developers, not for callers. */
function translate(failure: unknown): ApiError {
  const type = failure instanceof Error && 'type' in failure ? failure.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new ApiError('payload_too_large', { cause: failure });
    case 'encoding.unsupported':
      return new ApiError('unsupported_media_type', {
        message:
          'The Content-Encoding of the body is not supported: send it as it is, or with gzip, deflate or br.',
        headers: { 'Accept-Encoding': 'gzip, deflate, br, identity' },
        cause: failure,
      });
    default:
      return new ApiError('bad_request', {
        message: 'The request body could not be read to its end.',
        cause: failure,
      });
  }
}
