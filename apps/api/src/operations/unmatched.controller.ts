import { All, Controller, HttpCode, Options, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WithoutKey } from '@petstore/api-key';
import { ApiError } from '@petstore/http-kernel';
import { deferredErrorOf } from '@petstore/http-server';
import { Undocumented } from '../docs/undocumented.decorator.js';

const COLLECTION = 'v1/pets';
const COLLECTION_METHODS = 'GET, HEAD, OPTIONS, POST';
const ITEM = 'v1/pets/:petId';
const ITEM_METHODS = 'GET, HEAD, OPTIONS';

/**
 * What no operation takes: other methods on known paths, and unknown paths under `/v1`. They are
 * handlers like the others so that key and limit are checked here too; the router reaches them last.
 */
@Controller()
@Undocumented()
export class UnmatchedController {
  @Options(COLLECTION)
  @HttpCode(204)
  @WithoutKey()
  collectionOptions(@Res() response: Response): void {
    response.setHeader('Allow', COLLECTION_METHODS).end();
  }

  @Options(ITEM)
  @HttpCode(204)
  @WithoutKey()
  itemOptions(@Res() response: Response): void {
    response.setHeader('Allow', ITEM_METHODS).end();
  }

  @All(COLLECTION)
  collection(): never {
    throw new ApiError('method_not_allowed', { headers: { Allow: COLLECTION_METHODS } });
  }

  @All(ITEM)
  item(@Req() request: Request): never {
    throw (
      deferredErrorOf(request) ?? new ApiError('method_not_allowed', { headers: { Allow: ITEM_METHODS } })
    );
  }

  @All(['v1', 'v1/{*path}'])
  unknown(@Req() request: Request): never {
    throw deferredErrorOf(request) ?? new ApiError('route_not_found');
  }
}
