import 'reflect-metadata';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { type Access, ACCESS_METADATA } from './access.decorator.js';
import { ApiKeyRefusedError } from './api-key-refused.error.js';
import { attachCaller, type Caller } from '../key/caller.js';
import { readBearerToken } from './read-bearer-token.js';
import type { ApiKeyCache } from '../cache/api-key-cache.js';
import { TooManyUnknownKeysError } from '../key/key-store-unavailable.error.js';
import { ApiKeyFormat } from '../format/api-key-format.js';
import type { KeyUsageLog } from '../usage/key-usage-log.js';
import type { AuthFailureLimiter } from './auth-failure-limiter.js';

/**
 * Who is it? Asks every request for an API key (specification, section 5). Registered for the whole
 * application; a handler needs no mark to be protected, only to be open or to ask for a scope.
 *
 * Answers at once, without a promise, for a key that is remembered. What others at the client's address have
 * sent never matters to a key: only what is refused is charged to the address.
 *
 * Throws {@link ApiKeyRefusedError} (401, 403), `KeyStoreUnavailable` when a key that is not remembered cannot
 * be looked up, and what the {@link AuthFailureLimiter} throws (429).
 */
export class ApiKeyGuard implements CanActivate {
  private readonly accesses = new WeakMap<object, WeakMap<object, Access | 'any-key'>>();

  constructor(
    private readonly keys: ApiKeyCache,
    private readonly meter: AuthFailureLimiter,
    private readonly usage: KeyUsageLog,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.accessOf(context);
    if (access === 'without-key') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const response = http.getResponse<ServerResponse>();
    const key = readBearerToken(request);
    if (key === undefined) return this.refuse(request, response, ApiKeyRefusedError.missing());
    const known = this.keys.get(key);
    if (known === 'refused') return this.refuse(request, response, ApiKeyRefusedError.invalid());
    if (known !== undefined) return this.admit(request, response, known, access);
    // Also where a mistyped key ends: it costs no look-up.
    if (!ApiKeyFormat.isWellFormed(key)) return this.refuse(request, response, ApiKeyRefusedError.invalid());
    return this.lookUp(request, response, key, access);
  }

  private async lookUp(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    access: Access | 'any-key',
  ): Promise<boolean> {
    let caller: Caller | undefined;
    try {
      caller = await this.keys.load(key, this.meter.clientOf(request));
    } catch (error) {
      // Whose key it is cannot be told: the answer says how the address stands, and charges nobody but a client
      // that keeps others from being told.
      if (error instanceof TooManyUnknownKeysError) await this.meter.charge(request, response, undefined);
      else await this.meter.describe(request, response);
      throw error;
    }
    if (caller === undefined) return this.refuse(request, response, ApiKeyRefusedError.invalid());
    return this.admit(request, response, caller, access);
  }

  private admit(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
    access: Access | 'any-key',
  ): boolean | Promise<boolean> {
    attachCaller(request, caller);
    this.usage.used(caller.keyId);
    if (access === 'any-key' || access === 'without-key' || caller.scopes.has(access)) return true;
    return this.refuse(request, response, ApiKeyRefusedError.lacking(access), caller);
  }

  private async refuse(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: ApiKeyRefusedError,
    caller?: Caller,
  ): Promise<never> {
    await this.meter.charge(request, response, caller);
    throw refusal;
  }

  /** What the handler asks for, else what its controller does. Remembered: asking costs more than the rest. */
  private accessOf(context: ExecutionContext): Access | 'any-key' {
    const controller = context.getClass();
    const handler = context.getHandler();
    let ofController = this.accesses.get(controller);
    if (ofController === undefined) this.accesses.set(controller, (ofController = new WeakMap()));
    let access = ofController.get(handler);
    if (access === undefined) {
      access = markOf(handler) ?? markOf(controller) ?? 'any-key';
      ofController.set(handler, access);
    }
    return access;
  }
}

/** Read as Nest's Reflector does, without loading @nestjs/core: the operator's tool, too, loads this library. */
function markOf(target: object): Access | undefined {
  return Reflect.getMetadata(ACCESS_METADATA, target) as Access | undefined;
}
