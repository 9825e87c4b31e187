import { type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { CallersRequest } from './key.guard.js';

/** Counts by caller, and refuses the callers that have no key. */
@Injectable()
export class CallerThrottlerGuard extends ThrottlerGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    if (!context.switchToHttp().getRequest<CallersRequest>().caller.known) throw new UnauthorizedException();
    return true;
  }

  protected override getTracker(request: Record<string, unknown>): Promise<string> {
    return Promise.resolve((request as unknown as CallersRequest).caller.id);
  }

  /** Limits are of a caller, not of a handler of its own each. */
  protected override generateKey(context: ExecutionContext, tracker: string, name: string): string {
    return `nestjs:${tracker}:${name}`;
  }
}
