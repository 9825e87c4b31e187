import { All, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiError, type EmptyResponse, otherMethod } from '@petstore/http-server';
import { OperationRegistry } from '../operations/operation-registry.js';

/**
 * Every request under `/v1` that no operation handles: OPTIONS (204) and other methods (405) on the paths of operations,
 * and unknown paths (404). As a handler it runs after key and limit; the router tries the least specific route last, by
 * `routeResolutionStrategy: 'specificity'`.
 */
@Controller('v1')
@ApiExcludeController()
export class UnmatchedController {
  constructor(private readonly registry: OperationRegistry) {}

  @All(['', '{*path}'])
  respond(@Req() { method, url }: Request): EmptyResponse {
    const headers = this.registry.pathHeaders(url);
    if (headers === undefined) throw new ApiError('route_not_found');
    return otherMethod(method, headers);
  }
}
