import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LOAD_SHEDDING_POLICY, type LoadSheddingPolicy } from './load-shedding-policy.js';

/** How many places each address, or each key, has in use; those that have none are not kept. */
class Shares {
  private readonly taken = new Map<string, number>();

  constructor(private readonly most: number) {}

  isUsed(id: string): boolean {
    return (this.taken.get(id) ?? 0) >= this.most;
  }

  take(id: string): void {
    this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
  }

  giveBack(id: string): void {
    const left = (this.taken.get(id) ?? 0) - 1;
    if (left > 0) this.taken.set(id, left);
    else this.taken.delete(id);
  }
}

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

  constructor(
    @Inject(LOAD_SHEDDING_POLICY)
    { maxConcurrentRequests }: Pick<LoadSheddingPolicy, 'maxConcurrentRequests'>,
  ) {
    this.most = maxConcurrentRequests;
    const mostOfOne = Math.ceil(maxConcurrentRequests / 4);
    this.addresses = new Shares(mostOfOne);
    this.keys = new Shares(mostOfOne);
  }

  get isFull(): boolean {
    return this.taken >= this.most;
  }

  /**
   * Prepares the place of a request, to be taken when there is nothing more to wait for from its client. It is
   * given back when the response is closed, whatever ends it.
   */
  reserve(request: IncomingMessage, response: ServerResponse, address: string): RequestPlace {
    const place = new RequestPlace(this, address);
    (request as PlacedRequest)[PLACE] = place;
    response.on('close', giveBack);
    return place;
  }
}

/** The place of one request: reserved, then taken, then given back for good. */
export class RequestPlace {
  private state: 'reserved' | 'taken' | 'given back' = 'reserved';
  private keyId: string | undefined;

  constructor(
    private readonly places: RequestPlaces,
    private readonly address: string,
  ) {}

  /** Takes the place. @returns false when all are in use, or the share of the request's address or key is */
  take(): boolean {
    const { state, places, address, keyId } = this;
    if (state !== 'reserved') return state === 'taken';
    if (places.isFull || places.addresses.isUsed(address)) return false;
    if (keyId !== undefined && places.keys.isUsed(keyId)) return false;
    this.state = 'taken';
    places.taken++;
    places.addresses.take(address);
    if (keyId !== undefined) places.keys.take(keyId);
    return true;
  }

  /** Lets the place count for a key as well. @returns false when the key has its share in use */
  countFor(keyId: string): boolean {
    if (this.state !== 'reserved') return this.keyId === keyId;
    this.keyId = keyId;
    return !this.places.keys.isUsed(keyId);
  }

  giveBack(): void {
    const { state, places, address, keyId } = this;
    this.state = 'given back';
    if (state !== 'taken') return;
    places.taken--;
    places.addresses.giveBack(address);
    if (keyId !== undefined) places.keys.giveBack(keyId);
  }
}

/** The place of a request; `undefined` for one that needs none. */
export function placeOf(request: IncomingMessage): RequestPlace | undefined {
  return (request as PlacedRequest)[PLACE];
}

function giveBack(this: ServerResponse): void {
  placeOf(this.req)?.giveBack();
}
