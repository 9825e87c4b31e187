import { Controller, Get, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { WithoutKey } from '@petstore/api-key';
import { ApiError, JsonResponse } from '@petstore/http-server';
import { RouteName } from '../operations/route-name.decorator.js';
import { HEALTH } from '../operations/route-names.js';
import { PublicReadiness } from './public-readiness.js';

const NEVER_STORED = { 'Cache-Control': 'no-store' };

/** For those who run the service: is the process alive, and can it serve? Needs no key. */
@Controller()
@ApiExcludeController()
@RouteName(HEALTH)
@WithoutKey()
export class HealthController {
  constructor(@Inject(PublicReadiness) private readonly readiness: PublicReadiness) {}

  @Get('livez')
  live(): JsonResponse {
    return JsonResponse.ok('{"status":"ok"}', NEVER_STORED);
  }

  @Get('readyz')
  async ready(): Promise<JsonResponse> {
    const report = await this.readiness.check();
    if (report === undefined || report.status === 'unavailable') {
      throw new ApiError('service_unavailable', { headers: { 'Retry-After': '1' }, cause: report });
    }
    return JsonResponse.ok(JSON.stringify(report), NEVER_STORED);
  }
}
