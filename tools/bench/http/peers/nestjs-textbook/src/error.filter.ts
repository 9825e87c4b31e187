import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';

const CODES: Record<number, string> = {
  400: 'validation_failed',
  401: 'invalid_api_key',
  404: 'pet_not_found',
  429: 'rate_limit_exceeded',
};

@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    const message = exception instanceof HttpException ? exception.message : 'Something went wrong.';
    host
      .switchToHttp()
      .getResponse<Response>()
      .status(status)
      .json({ code: CODES[status] ?? 'internal_error', message, status });
  }
}
