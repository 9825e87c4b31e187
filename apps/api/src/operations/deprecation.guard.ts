import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Deprecations } from './deprecations.js';

/**
 * Puts its notice on every response of a deprecated operation, refusals included. It refuses no request; it is a guard
 * because guards are the first in Nest to know the handler, and it comes before all others.
 */
@Injectable()
export class DeprecationGuard implements CanActivate {
  constructor(private readonly deprecations: Deprecations) {}

  canActivate(context: ExecutionContext): boolean {
    this.deprecations.announce(context.getHandler(), context.switchToHttp().getResponse<ServerResponse>());
    return true;
  }
}
