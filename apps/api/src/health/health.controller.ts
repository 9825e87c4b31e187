import { Controller, Get, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { WithoutKey } from '@petstore/api-key';
import { Answer, ApiError } from '@petstore/http-kernel';
import { GracefulStop } from '../http/graceful-stop.js';

/** Injection token of a function that resolves when the database answers, and rejects when it does not. */
export const PING_DATABASE = Symbol('ping the database');

const NEVER_STORED = { 'Cache-Control': 'no-store' };

/** For whoever runs the service: is the process alive, and can it serve? Needs no key. */
@Controller()
@ApiExcludeController()
@WithoutKey()
export class HealthController {
  constructor(
    @Inject(PING_DATABASE) private readonly pingDatabase: () => Promise<void>,
    @Inject(GracefulStop) private readonly stop: GracefulStop,
  ) {}

  @Get('livez')
  live(): Answer {
    return Answer.ok('{"status":"ok"}', NEVER_STORED);
  }

  @Get('readyz')
  async ready(): Promise<Answer> {
    if (this.stop.isStopping) throw new ApiError('service_unavailable', { headers: { 'Retry-After': '1' } });
    try {
      await this.pingDatabase();
    } catch (error) {
      throw new ApiError('service_unavailable', { headers: { 'Retry-After': '1' }, cause: error });
    }
    return Answer.ok('{"status":"ok"}', NEVER_STORED);
  }
}
