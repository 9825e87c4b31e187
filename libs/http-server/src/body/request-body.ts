import type { Request, Response } from 'express';
import type { JsonObject } from '@petstore/http-kernel';
import type { BodyOptions } from '../dto/body-options.decorator.js';
import { overloadError } from '../load-shedding/overload.error.js';
import { placeOf } from '../load-shedding/request-places.js';
import { expectsBody } from '../request/expects-body.js';
import { readJsonObject, readOptionalJsonObject } from './json-body.js';

/** The body of a request: `request.body`. It is read when it is asked for, and never where nothing does. */
export class RequestBody {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  /**
   * Reads it as one JSON object. The request gives back its place while its client is still sending.
   *
   * @param members names of those that are wanted; others are checked, and left out
   * @throws ApiError unsupported_media_type, payload_too_large, invalid_json, bad_request; service_unavailable when
   * there is no place once the body is there
   */
  async read(
    members: readonly string[],
    { isOptional, mediaTypes }: Required<BodyOptions>,
  ): Promise<JsonObject> {
    const { request, response } = this;
    const place = placeOf(request);
    if (expectsBody(request)) place?.release();
    const readObject = isOptional ? readOptionalJsonObject : readJsonObject;
    const body = await readObject(request, response, members, mediaTypes);
    if (place?.take() === false) throw overloadError();
    return body;
  }
}
