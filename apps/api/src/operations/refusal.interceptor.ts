import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { deferredErrorOf } from '@petstore/http-server';
import { Deprecations } from './deprecations.js';

/**
 * Refuses what was found wrong with the target of a request before it was routed (the handler would see a target of the
 * same operation in its place), and operations that are removed: after the key and the limit, before the body.
 */
@Injectable()
export class RefusalInterceptor implements NestInterceptor {
  constructor(private readonly deprecations: Deprecations) {}

  /**
   * Called in place of {@link intercept} where interceptors that only admit are asked directly.
   *
   * @throws ApiError uri_too_long, operation_removed
   */
  admit(context: ExecutionContext): undefined {
    const error = deferredErrorOf(context.switchToHttp().getRequest<IncomingMessage>());
    if (error !== undefined) throw error;
    this.deprecations.refuseIfRemoved(context.getHandler());
  }

  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    this.admit(context);
    return next.handle();
  }
}
