import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiKeyGuard } from '@petstore/api-key';
import { OperationRegistry } from '../operations/operation-registry.js';

/** Requires an API key of every request but OPTIONS on a path of the contract. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly keys: ApiKeyGuard,
    private readonly operations: OperationRegistry,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { method, url } = context.switchToHttp().getRequest<Request>();
    const isOpen = method === 'OPTIONS' && this.operations.pathHeaders(url) !== undefined;
    return isOpen || this.keys.canActivate(context);
  }
}
