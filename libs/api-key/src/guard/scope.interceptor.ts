import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import type { Scope } from '../scopes/scope-registry.js';
import { type Access, accessOf, ANY_KEY, ANY_SECRET_KEY } from './access.decorator.js';
import { API_KEY_REALM } from './api-key.guard.js';
import { ApiKeyRefusedError } from './api-key-refused.error.js';
import { type Caller, callerOf } from './caller.js';

/**
 * Requires of an accepted key what the handler says: its scope, or that it is secret. An interceptor, so that an
 * application can put it behind the one that limits: what a key may not do counts against it like what it may.
 */
@Injectable()
export class ScopeInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(API_KEY_REALM) private readonly realm: string,
  ) {}

  /** @throws ApiKeyRefusedError insufficient_scope */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const [request, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
    const caller = callerOf(request);
    const access = accessOf(this.reflector, context);
    // Without a caller the guard has found that none is needed.
    if (caller === undefined || mayCall(access, caller)) return next.handle();
    const refusal = ApiKeyRefusedError.lacking(typeof access === 'string' ? access : undefined, this.realm);
    // Nest's own filter sets no header fields.
    response.setHeader('WWW-Authenticate', refusal.challenge ?? '');
    throw refusal;
  }
}

/** Whether a handler that requires `access` is open to the caller. */
function mayCall(access: Access, { origins, scopes }: Caller): boolean {
  if (access === ANY_SECRET_KEY) return origins === undefined;
  return access === ANY_KEY || scopes.has(access as Scope);
}
