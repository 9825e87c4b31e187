import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { DeprecationNotices } from './deprecation-notices.js';

/**
 * Answers 410 for deprecated operations that are removed. Its handlers have it as their own interceptor, which Nest
 * runs behind the ones of the application: after the key and the limit, before the body.
 */
@Injectable()
export class RemovedOperationInterceptor implements NestInterceptor {
  constructor(@Inject(DeprecationNotices) private readonly notices: DeprecationNotices) {}

  /** Called in place of {@link intercept} where interceptors that only admit are asked directly. */
  admit(context: ExecutionContext): undefined {
    this.notices.of(context.getHandler())?.refuseIfRemoved();
  }

  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    this.admit(context);
    return next.handle();
  }
}
