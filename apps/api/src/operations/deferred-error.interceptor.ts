import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { deferredErrorOf } from '@petstore/http-server';

/**
 * Refuses what was found wrong with the target of a request before it was routed: after the key and the limit, before
 * the handler, which sees a target of the same operation in its place.
 */
@Injectable()
export class DeferredErrorInterceptor implements NestInterceptor {
  /**
   * Called in place of {@link intercept} where interceptors that only admit are asked directly.
   *
   * @throws ApiError uri_too_long
   */
  admit(context: ExecutionContext): undefined {
    const error = deferredErrorOf(context.switchToHttp().getRequest<IncomingMessage>());
    if (error !== undefined) throw error;
  }

  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    this.admit(context);
    return next.handle();
  }
}
