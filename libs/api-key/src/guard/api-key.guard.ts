import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiKeyCache } from '../cache/api-key-cache.js';
import { ApiKeyFormat } from '../secrets/api-key-format.js';
import { KeySigner } from '../secrets/key-signer.js';
import { KeyUsageRecorder } from '../usage/key-usage-recorder.js';
import { type Access, ACCESS_METADATA, ANY_KEY, WITHOUT_KEY } from './access.decorator.js';
import { ApiKeyRefusedError } from './api-key-refused.error.js';
import { readBearerToken } from './bearer-token.js';
import { attachCaller, type Caller } from './caller.js';

/** What Nest finds the realm of the challenges by (RFC 9110, section 11.5). */
export const API_KEY_REALM = Symbol('realm');

/**
 * Limits what the guard refuses, so that a flood of bad keys runs into a limit and its responses carry the limit
 * headers too. A rate limiter stands behind this port.
 */
export abstract class AuthFailureLimiter {
  /**
   * Counts a refused request and puts the limit headers on its response.
   *
   * @param caller whose key lacks a scope; `undefined` for a request without an accepted key, which
   *   counts for the client's address
   * @throws whatever the limiter responds with when the limit is used up (429)
   */
  abstract charge(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
  ): Promise<void>;

  /**
   * Puts the limit headers of the client's address on a response, counting nothing: for a request whose key
   * cannot be looked up.
   */
  abstract describe(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** A request with what its handler requires. */
interface Attempt {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly access: Exclude<Access, typeof WITHOUT_KEY>;
}

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
  /**
   * @param realm of the challenges in WWW-Authenticate, without quotation marks
   * @param limiter limits what is refused; without one nothing does
   */
  constructor(
    private readonly reflector: Reflector,
    private readonly signer: KeySigner,
    private readonly keys: ApiKeyCache,
    private readonly usage: KeyUsageRecorder,
    @Inject(API_KEY_REALM) private readonly realm: string,
    @Optional() private readonly limiter?: AuthFailureLimiter,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS_METADATA, targets) ?? ANY_KEY;
    if (access === WITHOUT_KEY) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const attempt: Attempt = { request, response: http.getResponse<ServerResponse>(), access };
    const key = readBearerToken(request);
    if (key === undefined) return this.refuse(attempt, ApiKeyRefusedError.missing(this.realm));
    // What is cached has had its MAC checked: looking here first saves most requests that arithmetic.
    const cached = ApiKeyFormat.isWellFormed(key) ? this.keys.get(key) : 'refused';
    return cached === undefined ? this.authenticate(attempt, key) : this.authorize(attempt, cached);
  }

  /** A key that is not cached: made-up ones end at the MAC, without a look-up. */
  private async authenticate(attempt: Attempt, key: string): Promise<boolean> {
    let caller: Caller | undefined;
    try {
      const hash = this.signer.verify(key);
      caller = hash && (await this.keys.load(key, hash));
    } catch (error) {
      // The key may be revoked, so its limits are not shown: the response describes the limit of the address, uncharged.
      await this.limiter?.describe(attempt.request, attempt.response);
      throw error;
    }
    return this.authorize(attempt, caller ?? 'refused');
  }

  private authorize(attempt: Attempt, caller: Caller | 'refused'): boolean | Promise<boolean> {
    if (caller === 'refused') return this.refuse(attempt, ApiKeyRefusedError.invalid(this.realm));
    const { request, access } = attempt;
    attachCaller(request, caller);
    this.usage.used(caller.keyId);
    if (access === ANY_KEY || caller.scopes.has(access)) return true;
    return this.refuse(attempt, ApiKeyRefusedError.lacking(access, this.realm), caller);
  }

  private async refuse(
    { request, response }: Attempt,
    refusal: ApiKeyRefusedError,
    caller?: Caller,
  ): Promise<never> {
    await this.limiter?.charge(request, response, caller);
    // Nest's own filter sets no header fields.
    if (!response.headersSent) response.setHeader('WWW-Authenticate', refusal.challenge);
    throw refusal;
  }
}
