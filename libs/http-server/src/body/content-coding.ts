import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { ApiError } from '@petstore/http-kernel';
import { readBrotliOutline } from './brotli-outline.js';

/**
 * Most bytes of a body with a Content-Encoding, as it comes over the wire. What a decoder spends does not depend
 * on what comes out: 16 KiB of codes that are never used take deflate 2 ms. The largest animal takes half of this.
 */
export const MAX_ENCODED_BYTES = 2 * 1024;

/** Most sets of codes that a meta-block of Brotli may switch between; encoders use a few for a text as short as these. */
const MAX_LITERAL_TYPES = 16;

/** A content coding that is understood (RFC 9110, section 8.4.1). */
export type ContentCoding = 'identity' | 'gzip' | 'deflate' | 'br';

const CODINGS: ReadonlyMap<string, ContentCoding> = new Map(
  (['identity', 'gzip', 'deflate', 'br'] as const).map((coding) => [coding, coding]),
);

/** Longest name of a coding, in characters. */
const LONGEST_NAME = 8;

/** @throws ApiError unsupported_media_type for what is not exactly one coding that is understood */
export function contentCodingOf(contentEncoding: string | undefined): ContentCoding {
  if (contentEncoding === undefined || contentEncoding === '') return 'identity';
  const coding =
    contentEncoding.length > LONGEST_NAME ? undefined : CODINGS.get(contentEncoding.toLowerCase());
  if (coding !== undefined) return coding;
  throw new ApiError('unsupported_media_type', {
    message:
      'The Content-Encoding of the body is not supported: send it as it is, or with gzip, deflate or br.',
    headers: { 'Accept-Encoding': 'gzip, deflate, br, identity' },
  });
}

/**
 * Undoes a content coding, at once and within one buffer: a body is so short that a stream and its turns in
 * another thread would cost several times as much.
 *
 * @param body at most {@link MAX_ENCODED_BYTES}
 * @param most bytes of the result
 * @throws ApiError payload_too_large or bad_request
 */
export function decodeBody(coding: ContentCoding, body: Buffer, most: number): Buffer {
  if (coding === 'identity' || body.length === 0) return body;
  const limits = { maxOutputLength: most };
  try {
    switch (coding) {
      case 'gzip':
        return gunzipSync(body, limits);
      case 'deflate':
        return inflateSync(body, limits);
      case 'br':
        return brotliDecompressSync(checkBrotli(body, most), limits);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ApiError('payload_too_large', { cause: error });
    throw new ApiError('bad_request', {
      message: 'The request body could not be read to its end.',
      cause: error,
    });
  }
}

/**
 * Refuses what would cost far more than it is worth, before any of it is decoded.
 *
 * A decoder fills its window before it gives anything back: where a second compressed meta-block follows, 18 bytes
 * let it write 256 KiB and more. Of what is left, the length is known, and the decoder's window no larger.
 */
function checkBrotli(body: Buffer, most: number): Buffer {
  const { length, literalTypes } = readBrotliOutline(body);
  if (length !== undefined && length > most) throw new ApiError('payload_too_large');
  if (length !== undefined && literalTypes <= MAX_LITERAL_TYPES) return body;
  throw new ApiError('payload_too_large', {
    message: 'The request body is too complex for br: send it as it is, or with gzip.',
  });
}
