import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConnectionTable } from '../connections/connection-table.js';
import { expectsBody, recordOf } from '../edge/request-record.js';
import { ApiError } from '../errors/api-error.js';
import { HTTP_SERVER_OPTIONS, type HttpServerOptions } from '../options/http-server.options.js';
import { JsonResponse } from '../responses/responses.js';

/** How many slots each address, or each key, has in use; those that have none are not kept. */
class Shares extends Map<string, number> {
  /** @param most slots of one */
  constructor(private readonly most: number) {
    super();
  }

  isUsed(id: string): boolean {
    return (this.get(id) ?? 0) >= this.most;
  }

  change(id: string, by: 1 | -1): void {
    const left = (this.get(id) ?? 0) + by;
    if (left === 0) this.delete(id);
    else this.set(id, left);
  }
}

/** Handlers that read a body. Requests for other handlers do not wait for one, whatever they announce. */
const bodyReaders = new WeakSet();

/**
 * The slots for requests that are being worked on in this process. One address and one key hold at most a
 * quarter of them each, so that no client can keep all others out.
 */
export class RequestSlots {
  /** Slots in use. */
  taken = 0;
  readonly addresses: Shares;
  readonly keys: Shares;

  /** @param most slots, at least 1 */
  constructor(private readonly most: number) {
    this.addresses = new Shares(Math.ceil(most / 4));
    this.keys = new Shares(Math.ceil(most / 4));
  }

  get isFull(): boolean {
    return this.taken >= this.most;
  }

  /**
   * Prepares the slot of a request, to be taken when its key is accepted. The caller closes it when the request is
   * over.
   */
  reserve(address: string): RequestSlot {
    return new RequestSlot(this, address);
  }
}

/**
 * The slot of one request: reserved, then taken when there is nothing more to wait for from its client, and closed
 * when it is over.
 */
export class RequestSlot {
  private state: 'reserved' | 'taken' | 'closed' = 'reserved';
  private keyId: string | undefined;
  private handler: object | undefined;

  constructor(
    private readonly slots: RequestSlots,
    private readonly address: string,
  ) {}

  /**
   * Lets the slot count for a key as well, and takes it; later, if the handler reads a body that is still to come.
   *
   * @returns false when all are in use, or the share of the request's address or key is
   */
  begin(keyId: string, handler: object, isBodyToCome: boolean): boolean {
    if (this.state !== 'reserved') return this.acquire();
    this.keyId = keyId;
    this.handler = handler;
    if (isBodyToCome && bodyReaders.has(handler)) return !this.slots.keys.isUsed(keyId);
    return this.acquire();
  }

  /** Takes the slot. @returns as {@link begin} does */
  acquire(): boolean {
    const { state, slots, address, keyId } = this;
    if (state !== 'reserved') return state === 'taken';
    if (slots.isFull || slots.addresses.isUsed(address)) return false;
    if (keyId !== undefined && slots.keys.isUsed(keyId)) return false;
    this.state = 'taken';
    this.change(1);
    return true;
  }

  /** The handler reads the body: while that is to come, others have the slot. {@link acquire} takes it again. */
  awaitBody(isToCome: boolean): void {
    if (this.handler !== undefined) bodyReaders.add(this.handler);
    if (isToCome) this.release();
  }

  /** The request is over: the slot is given back for good. */
  close(): void {
    this.release();
    this.state = 'closed';
  }

  private release(): void {
    if (this.state !== 'taken') return;
    this.state = 'reserved';
    this.change(-1);
  }

  private change(by: 1 | -1): void {
    const { slots, address, keyId } = this;
    slots.taken += by;
    slots.addresses.change(address, by);
    if (keyId !== undefined) slots.keys.change(keyId, by);
  }
}

/** After so many milliseconds in which requests were refused and none was admitted, the process has stalled. */
const STALLED_MS = 10_000;

/** Seconds after which a refused client may come back. */
const RETRY_AFTER_SECONDS = 1;

const SLOT = Symbol('slot of a request');
type RequestWithSlot = IncomingMessage & { [SLOT]?: RequestSlot };

/** The slot of a request among those at work; `undefined` for one that needs none. */
export function slotOf(request: IncomingMessage): RequestSlot | undefined {
  return (request as RequestWithSlot)[SLOT];
}

/** The refusal of a request for which there is no slot, or whose address or key has its share in use. */
export function overloadError(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The service has more requests than it can serve at the moment. Try again shortly.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}

/**
 * Load shedding: refuses requests beyond the process's capacity while that is cheap: before route, key, limit and body,
 * from memory.
 *
 * As a guard it takes the request's slot, and limits one key to a quarter of the slots. It comes after the guard that
 * accepts the key, and before the limit: a refused request uses no quota. A request without an accepted key never has a
 * slot; one whose handler reads a body takes it when the body is there.
 */
@Injectable()
export class LoadShedder implements CanActivate {
  private readonly slots: RequestSlots;
  /** Without Retry-After, which depends on the limit here. */
  private readonly refusal: JsonResponse;
  /** Since when requests have been refused without one being admitted, on the clock of `performance.now()`. */
  private refusingSince: number | undefined;

  constructor(
    @Inject(HTTP_SERVER_OPTIONS) private readonly options: HttpServerOptions,
    @Inject(ConnectionTable) private readonly connections: ConnectionTable,
  ) {
    this.slots = new RequestSlots(options.requests.maxConcurrentRequests);
    const error = new ApiError('service_unavailable', { message: overloadError().message });
    this.refusal = JsonResponse.error(error, options.helpOf(error.code));
  }

  /**
   * Reserves a slot for a request that needs one, or refuses it.
   *
   * @returns whether the request goes on
   */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { slots, connections } = this;
    const { requests } = this.options;
    const record = recordOf(request);
    if (record === undefined || !requests.needsSlot(request)) return true;
    const address = connections.networkOf(request.socket) ?? requests.networkOf(request);
    if (!slots.isFull && !slots.addresses.isUsed(address)) {
      this.refusingSince = undefined;
      (request as RequestWithSlot)[SLOT] = slots.reserve(address);
      return true;
    }
    if (slots.isFull) this.refusingSince ??= performance.now();
    record.errorCode = 'service_unavailable';
    this.refuse(request, response);
    return false;
  }

  /** @throws ApiError service_unavailable when no slot is free, or the key has its share in use */
  canActivate(context: ExecutionContext): boolean {
    const { requests } = this.options;
    const [request, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
    const keyId = requests.keyOf(request);
    const slot = slotOf(request);
    if (keyId === undefined || slot === undefined) return true;
    if (slot.begin(keyId, context.getHandler(), expectsBody(request))) return true;
    requests.describeRefusal(request, response);
    throw overloadError();
  }

  /** Whether all slots have been taken, and nothing that needs one admitted, for 10 s. */
  get isStalled(): boolean {
    const { slots, refusingSince } = this;
    return slots.isFull && refusingSince !== undefined && performance.now() - refusingSince >= STALLED_MS;
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    this.options.requests.describeRefusal(request, response);
    response.once('close', () => {
      // Thousands of clients that come back at once would keep the event loop reading and refusing, and those
      // who were admitted waiting for seconds.
      this.connections.holdBack(request.socket, RETRY_AFTER_SECONDS * 1_000);
    });
    const respond = (): void => {
      this.refusal.send(request, response);
    };
    // A small body comes with the header fields, but is parsed after them; a response before its end would cost the
    // client its connection.
    if (expectsBody(request)) setImmediate(respond);
    else respond();
  }
}
