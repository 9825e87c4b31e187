import { Controller, Get, Inject } from '@nestjs/common';
import { WithoutKey } from '@petstore/api-key';
import { Answer, ApiError } from '@petstore/http-kernel';
import { Undocumented } from '../docs/undocumented.decorator.js';
import { PublicReadiness } from './public-readiness.js';

const NEVER_STORED = { 'Cache-Control': 'no-store' };

/** For whoever runs the service: is the process alive, and can it serve? Needs no key. */
@Controller()
@Undocumented()
@WithoutKey()
export class HealthController {
  constructor(@Inject(PublicReadiness) private readonly readiness: PublicReadiness) {}

  @Get('livez')
  live(): Answer {
    return Answer.ok('{"status":"ok"}', NEVER_STORED);
  }

  @Get('readyz')
  async ready(): Promise<Answer> {
    const report = await this.readiness.check();
    if (report === undefined || report.status === 'unavailable') {
      throw new ApiError('service_unavailable', { headers: { 'Retry-After': '1' }, cause: report });
    }
    return Answer.ok(JSON.stringify(report), NEVER_STORED);
  }
}
