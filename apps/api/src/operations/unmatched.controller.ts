import { All, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError, Undocumented } from '@petstore/http-kernel';
import { deferredErrorOf } from '@petstore/http-server';
import { API_BASE_PATH } from './operation.js';

/**
 * Unknown paths under `/v1`. A handler like the others, so that key and limit are checked here too; the router
 * tries the least specific route last.
 */
@Controller()
@Undocumented()
export class UnmatchedController {
  @All([API_BASE_PATH, `${API_BASE_PATH}/{*path}`])
  unknown(@Req() request: Request): never {
    throw deferredErrorOf(request) ?? new ApiError('route_not_found');
  }
}
