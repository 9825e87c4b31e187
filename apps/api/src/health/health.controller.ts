import { All, Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { WithoutKey } from '@petstore/api-key';
import { ApiError, type EmptyResponse, JsonResponse, otherMethod, READ_ONLY } from '@petstore/http-server';
import type { Request } from 'express';
import { LIVENESS_PATH, READINESS_PATH } from '../paths.js';
import { Readiness } from './readiness.js';

const NEVER_STORED = { 'Cache-Control': 'no-store' };

/** Health checks, without a key: whether the process responds, and whether it can serve. */
@Controller()
@ApiExcludeController()
@WithoutKey()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get(LIVENESS_PATH)
  live(): JsonResponse {
    return JsonResponse.ok('{"status":"ok"}', NEVER_STORED);
  }

  @Get(READINESS_PATH)
  async ready(): Promise<JsonResponse> {
    const report = await this.readiness.check();
    if (report.status === 'unavailable')
      throw new ApiError('service_unavailable', { headers: { 'Retry-After': '1' } });
    return JsonResponse.ok(JSON.stringify(report), NEVER_STORED);
  }

  @All([LIVENESS_PATH, READINESS_PATH])
  other(@Req() { method }: Request): EmptyResponse {
    return otherMethod(method, READ_ONLY);
  }
}
