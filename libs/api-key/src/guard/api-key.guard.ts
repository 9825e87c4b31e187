import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { ApiKeyCache } from '../cache/api-key-cache.js';
import { ApiKeyFormat } from '../format/api-key-format.js';
import type { Caller } from '../key/caller.js';
import type { KeyHash } from '../secrets/pepper.js';
import { KeySigner } from '../secrets/key-signer.js';
import { KeyUsageLog } from '../usage/key-usage-log.js';
import { type Access, accessOf, ANY_KEY, WITHOUT_KEY } from './access.decorator.js';
import { ApiKeyRefusedError } from './api-key-refused.error.js';
import { AuthFailureLimiter } from './auth-failure-limiter.js';
import { readBearerToken } from './read-bearer-token.js';
import { attachCaller } from './request-caller.js';

/** What Nest finds the realm of the challenges by. */
export const API_KEY_REALM = Symbol('realm');

/** The realm of the challenges unless said (RFC 9110, section 11.5). */
const DEFAULT_REALM = 'api';

/**
 * Requires an API key of every request (RFC 6750). A handler needs no mark to be protected, only to be open or to
 * require a scope.
 *
 * Decides at once, without a promise, for a key that is cached. What others at the client's address have sent
 * never matters to a key: only what is refused is charged to the address.
 *
 * Throws {@link ApiKeyRefusedError} (401, 403), `KeyStoreUnavailableError` (503) when a key that is not cached cannot
 * be looked up, and what the {@link AuthFailureLimiter} throws (429).
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly accesses = new WeakMap<object, WeakMap<object, Access>>();

  /**
   * @param limiter limits what is refused; without one nothing does
   * @param realm of the challenges in WWW-Authenticate, without quotation marks
   */
  constructor(
    private readonly signer: KeySigner,
    private readonly keys: ApiKeyCache,
    private readonly usage: KeyUsageLog,
    @Optional() private readonly limiter?: AuthFailureLimiter,
    @Optional() @Inject(API_KEY_REALM) private readonly realm = DEFAULT_REALM,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.accessOf(context);
    if (access === WITHOUT_KEY) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const response = http.getResponse<ServerResponse>();
    const key = readBearerToken(request);
    if (key === undefined) return this.refuse(request, response, ApiKeyRefusedError.missing(this.realm));
    if (!ApiKeyFormat.isWellFormed(key)) return this.refuseKey(request, response);
    // What is cached has had its MAC checked: looking here first saves most requests that arithmetic.
    const cached = this.keys.get(key);
    if (cached === 'refused') return this.refuseKey(request, response);
    if (cached !== undefined) return this.admit(request, response, cached, access);
    const hash = this.signer.verify(key);
    if (hash === undefined) return this.refuseKey(request, response);
    return this.load(request, response, key, hash, access);
  }

  private async load(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    hash: KeyHash,
    access: Access,
  ): Promise<boolean> {
    let caller: Caller | undefined;
    try {
      caller = await this.keys.load(key, hash);
    } catch (error) {
      // The key may be revoked, so its limits are not shown: the response describes the limit of the address, uncharged.
      await this.limiter?.describe(request, response);
      throw error;
    }
    if (caller === undefined) return this.refuseKey(request, response);
    return this.admit(request, response, caller, access);
  }

  private admit(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
    access: Access,
  ): boolean | Promise<boolean> {
    attachCaller(request, caller);
    this.usage.used(caller.keyId);
    if (access === ANY_KEY || access === WITHOUT_KEY || caller.scopes.has(access)) return true;
    return this.refuse(request, response, ApiKeyRefusedError.lacking(access, this.realm), caller);
  }

  private refuseKey(request: IncomingMessage, response: ServerResponse): Promise<never> {
    return this.refuse(request, response, ApiKeyRefusedError.invalid(this.realm));
  }

  private async refuse(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: ApiKeyRefusedError,
    caller?: Caller,
  ): Promise<never> {
    await this.limiter?.charge(request, response, caller);
    // Nest's own filter sets no header fields.
    if (!response.headersSent) response.setHeader('WWW-Authenticate', refusal.challenge);
    throw refusal;
  }

  /** What the handler requires, else what its controller does. Cached: reading metadata costs more than the rest. */
  private accessOf(context: ExecutionContext): Access {
    const controller = context.getClass();
    const handler = context.getHandler();
    let ofController = this.accesses.get(controller);
    if (ofController === undefined) this.accesses.set(controller, (ofController = new WeakMap()));
    let access = ofController.get(handler);
    if (access === undefined) {
      access = accessOf(handler) ?? accessOf(controller) ?? ANY_KEY;
      ofController.set(handler, access);
    }
    return access;
  }
}
