import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ApiError } from '../errors/api-error.js';
import { inKib, MAX_BODY_BYTES } from '../errors/http.errors.js';
import { type JsonObject, JsonObjectError, parseJsonObject } from '../json/json-object.js';

/** How the body that a DTO class describes is sent. */
export interface BodyOptions {
  /** Whether a request may have no body, which then needs no Content-Type and is checked like an empty object. */
  readonly isOptional?: boolean;
  /** Media types that are accepted, all of JSON texts, in lower case, without parameters. */
  readonly mediaTypes?: readonly string[];
  /** Most bytes. */
  readonly maxBytes?: number;
}

const USUAL: Required<BodyOptions> = {
  isOptional: false,
  mediaTypes: ['application/json'],
  maxBytes: MAX_BODY_BYTES,
};

/** How the body of a DTO class is sent: `@JsonBodyOptions({ isOptional: true }) class OrderReasonDto`. */
export const JsonBodyOptions = Reflector.createDecorator<BodyOptions>();

/** How the body that a DTO class describes is sent: one JSON object as `application/json`, unless it says otherwise. */
export function bodyOptionsOf(dto: new () => object): Required<BodyOptions> {
  return { ...USUAL, ...new Reflector().get(JsonBodyOptions, dto) };
}

const PARAMETER = /^[\t ]*([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([\w!#$%&'*+.^`|~-]+))[\t ]*$/;

/** Longest Content-Type field that is looked at, in characters; clients send a tenth of it. */
const LONGEST = 256;

/**
 * Whether a Content-Type field says one of `mediaTypes`, in UTF-8 or without saying so (RFC 8259, section 8.1;
 * RFC 9110, section 8.3). Parameters beside `charset` are ignored, but must have the form of one: the package
 * `content-type` 2 passes over what it cannot read and takes the first of several `charset`s, so that a field with two
 * meanings would be taken for one of them.
 *
 * @param mediaTypes in lower case, without parameters
 */
function isOfMediaType(contentType: string | undefined, mediaTypes: readonly string[]): boolean {
  if (contentType === undefined || contentType.length > LONGEST) return false;
  if (mediaTypes.includes(contentType)) return true;
  const [mediaType = '', ...parameters] = contentType.split(';');
  return mediaTypes.includes(mediaType.trim().toLowerCase()) && parameters.every(isAcceptable);
}

function isAcceptable(parameter: string): boolean {
  if (parameter.trim() === '') return true;
  const [, name = '', quoted, token] = PARAMETER.exec(parameter) ?? [];
  return name !== '' && (name.toLowerCase() !== 'charset' || /^utf-?8$/i.test(quoted ?? token ?? ''));
}

/** As node knows it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;
const UNCODED = /^(?:identity)?$/i;

const NOTHING: JsonObject = Object.freeze(Object.create(null) as JsonObject);

/** The body of a request: `request.body`. Read only when a handler needs it. */
export class RequestBody {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  /**
   * Reads it as one JSON object.
   *
   * @param members names of those that are wanted; others are checked, and left out
   * @throws ApiError unsupported_media_type, payload_too_large, invalid_json, bad_request
   */
  async read(members: readonly string[], options: Required<BodyOptions>): Promise<JsonObject> {
    const { isOptional, mediaTypes, maxBytes } = options;
    const { 'transfer-encoding': transfer, 'content-length': length } = this.headers;
    const isEmpty = transfer === undefined && Number(length ?? 0) === 0;
    if (isOptional && isEmpty) return NOTHING;
    // Only its end tells whether a body in chunks is empty, which then needs no type and may have any.
    const mayBeEmpty = isOptional && transfer !== undefined;
    if (!mayBeEmpty) this.requireMediaType(mediaTypes);
    const bytes = await this.bytes(maxBytes);
    if (mayBeEmpty) {
      if (bytes.length === 0) return NOTHING;
      this.requireMediaType(mediaTypes);
    }
    try {
      return parseJsonObject(bytes, members);
    } catch (error) {
      if (error instanceof JsonObjectError) throw new ApiError('invalid_json', { message: error.message });
      throw error;
    }
  }

  private get headers(): Request['headers'] {
    return this.request.headers;
  }

  private bytes(most: number): Promise<Buffer> {
    const { request, response } = this;
    return readBody(request, most, () => {
      // RFC 9110, section 10.1.1: never to HTTP/1.0. A body that would be refused is not asked for.
      if (request.httpVersion !== '1.0' && CONTINUE.test(request.headers.expect ?? ''))
        response.writeContinue();
    });
  }

  /** Also that it comes as it is: a compressed body would cost more to decode than any other to read. */
  private requireMediaType(mediaTypes: readonly string[]): void {
    const { 'content-type': type, 'content-encoding': coding = 'identity' } = this.headers;
    // RFC 5789, section 3.1.
    const patches = this.request.method === 'PATCH' ? { 'Accept-Patch': mediaTypes.join(', ') } : {};
    if (!isOfMediaType(type, mediaTypes)) {
      throw new ApiError('unsupported_media_type', {
        message: `The body must be sent as Content-Type: ${mediaTypes.join(' or ')}, in UTF-8.`,
        headers: patches,
      });
    }
    if (!UNCODED.test(coding)) {
      throw new ApiError('unsupported_media_type', {
        message: 'The body must be sent as it is, without a Content-Encoding.',
        headers: { ...patches, 'Accept-Encoding': 'identity' },
      });
    }
  }
}

/** An event of requests: the rest of the body will never come. */
const BROKEN = 'broken';

/** Code of the parser's error about a body. */
const PARSER_CODE = Symbol('parserCode');
type RequestWithBody = IncomingMessage & { [PARSER_CODE]?: string };

/** Tells the reader of a request's body, now or later, what node's parser says of it. @param code of the parser's error */
export function breakBody(request: RequestWithBody, code = ''): void {
  request[PARSER_CODE] ??= code;
  request.emit(BROKEN);
}

/**
 * Reads the body of a request; empty where there is none. Trailers are ignored. How long it may take is the server's
 * `requestTimeout`.
 *
 * @param most bytes
 * @param proceed called unless the body is announced to be too large: a client may wait to be asked for it
 * @throws ApiError payload_too_large; headers_too_large for trailers; bad_request when the body breaks off
 */
export async function readBody(request: RequestWithBody, most: number, proceed: () => void): Promise<Buffer> {
  const { 'content-length': length } = request.headers;
  if (!(Number(length) > most)) proceed();
  try {
    return await Promise.race([
      getRawBody(request, { length: length ?? null, limit: most }),
      untilBroken(request),
    ]);
  } catch (error) {
    throw bodyError(request, most, error);
  }
}

/** Rejects when the parser refuses the body. */
function untilBroken(request: RequestWithBody): Promise<never> {
  return new Promise((_, reject) => {
    if (request[PARSER_CODE] !== undefined) reject(new Error('broken'));
    else request.once(BROKEN, reject);
  });
}

function bodyError({ [PARSER_CODE]: code }: RequestWithBody, most: number, cause: unknown): ApiError {
  const { status } = Object(cause) as { readonly status?: unknown };
  if (status === 413 || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new ApiError('payload_too_large', { message: `The request body may be at most ${inKib(most)}.` });
  // Trailers.
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large');
  return new ApiError('bad_request', { message: 'The request body could not be read to its end.' });
}
