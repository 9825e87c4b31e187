import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTP_SERVER_OPTIONS, type HttpServerOptions } from '../options/http-server.options.js';

/** How many places each address, or each key, has in use; those that have none are not kept. */
class Shares extends Map<string, number> {
  /** @param most places of one */
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

/** Handlers that have read a body: their requests wait for one, which those of others do not, whatever they announce. */
const bodyReaders = new WeakSet();

const PLACE = Symbol('place of a request');
type PlacedRequest = IncomingMessage & { [PLACE]?: RequestPlace };

/**
 * The places for requests that are being worked on in this process. One address and one key hold at most a
 * quarter of them each, so that no client can keep all others out.
 */
@Injectable()
export class RequestPlaces {
  /** Places in use. */
  taken = 0;
  readonly addresses: Shares;
  readonly keys: Shares;
  private readonly most: number;

  constructor(@Inject(HTTP_SERVER_OPTIONS) { loadShedding }: Pick<HttpServerOptions, 'loadShedding'>) {
    this.most = loadShedding.maxConcurrentRequests;
    this.addresses = new Shares(Math.ceil(this.most / 4));
    this.keys = new Shares(Math.ceil(this.most / 4));
  }

  get isFull(): boolean {
    return this.taken >= this.most;
  }

  /**
   * Prepares the place of a request, to be taken when its key is accepted. It is given back when the response is closed,
   * whatever ends it.
   */
  reserve(request: IncomingMessage, response: ServerResponse, address: string): RequestPlace {
    const place = new RequestPlace(this, address);
    (request as PlacedRequest)[PLACE] = place;
    response.on('close', giveBack);
    return place;
  }
}

/**
 * The place of one request: reserved, then taken when there is nothing more to wait for from its client, and given back
 * for good when it is over.
 */
export class RequestPlace {
  private state: 'reserved' | 'taken' | 'given back' = 'reserved';
  private keyId: string | undefined;
  private handler: object | undefined;

  constructor(
    private readonly places: RequestPlaces,
    private readonly address: string,
  ) {}

  /**
   * Lets the place count for a key as well, and takes it; later, if the handler reads a body that is still to come.
   *
   * @returns false when all are in use, or the share of the request's address or key is
   */
  begin(keyId: string, handler: object, isBodyToCome: boolean): boolean {
    if (this.state !== 'reserved') return this.take();
    this.keyId = keyId;
    this.handler = handler;
    if (isBodyToCome && bodyReaders.has(handler)) return !this.places.keys.isUsed(keyId);
    return this.take();
  }

  /** Takes the place. @returns as {@link begin} does */
  take(): boolean {
    const { state, places, address, keyId } = this;
    if (state !== 'reserved') return state === 'taken';
    if (places.isFull || places.addresses.isUsed(address)) return false;
    if (keyId !== undefined && places.keys.isUsed(keyId)) return false;
    this.state = 'taken';
    this.change(1);
    return true;
  }

  /** The handler reads the body: while that is to come, others have the place. {@link take} takes it again. */
  awaitBody(isToCome: boolean): void {
    if (this.handler !== undefined) bodyReaders.add(this.handler);
    if (isToCome) this.release();
  }

  giveBack(): void {
    this.release();
    this.state = 'given back';
  }

  private release(): void {
    if (this.state !== 'taken') return;
    this.state = 'reserved';
    this.change(-1);
  }

  private change(by: 1 | -1): void {
    const { places, address, keyId } = this;
    places.taken += by;
    places.addresses.change(address, by);
    if (keyId !== undefined) places.keys.change(keyId, by);
  }
}

/** The place of a request; `undefined` for one that needs none. */
export function placeOf(request: IncomingMessage): RequestPlace | undefined {
  return (request as PlacedRequest)[PLACE];
}

function giveBack(this: ServerResponse): void {
  placeOf(this.req)?.giveBack();
}
