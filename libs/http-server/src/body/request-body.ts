import type { Request, Response } from 'express';
import { expectsBody } from '../adapter/message-classes.js';
import { recordOf } from '../edge/request-record.js';
import { ApiError } from '../errors/api-error.js';
import { type JsonObject, JsonObjectError, parseJsonObject } from '../json/index.js';
import { overloadError } from '../load-shedding/load-shedder.js';
import type { BodyOptions } from './body-options.decorator.js';
import { MAX_BODY_BYTES } from '../options/limits.js';
import { isOfMediaType } from './media-type.js';
import { readBody } from './read-body.js';

/** As node knows it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;
const UNCODED = /^(?:identity)?$/i;

const NOTHING: JsonObject = Object.freeze(Object.create(null) as JsonObject);

/** The body of a request: `request.body`. It is read when it is asked for, and never where nothing does. */
export class RequestBody {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  /**
   * Reads it as one JSON object. The request has no slot while its client is still sending.
   *
   * @param members names of those that are wanted; others are checked, and left out
   * @throws ApiError unsupported_media_type, payload_too_large, invalid_json, bad_request; service_unavailable when
   * there is no slot once the body is there
   */
  async read(members: readonly string[], options: Required<BodyOptions>): Promise<JsonObject> {
    const { isOptional, mediaTypes } = options;
    const { 'transfer-encoding': transfer, 'content-length': length } = this.headers;
    const isEmpty = transfer === undefined && Number(length ?? 0) === 0;
    if (isOptional && isEmpty) return NOTHING;
    // Only its end tells whether a body in chunks is empty, which then needs no type and may have any.
    const mayBeEmpty = isOptional && transfer !== undefined;
    if (!mayBeEmpty) this.requireMediaType(mediaTypes);
    const bytes = await this.bytes();
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

  private async bytes(): Promise<Buffer> {
    const { request, response } = this;
    const slot = recordOf(request)?.slot;
    slot?.awaitBody(expectsBody(request));
    const bytes = await readBody(request, MAX_BODY_BYTES, () => {
      // RFC 9110, section 10.1.1: never to HTTP/1.0. A body that would be refused is not asked for.
      if (request.httpVersion !== '1.0' && CONTINUE.test(request.headers.expect ?? ''))
        response.writeContinue();
    });
    if (slot?.acquire() === false) throw overloadError();
    return bytes;
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
