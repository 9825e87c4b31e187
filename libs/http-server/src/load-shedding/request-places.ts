import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LOAD_SHEDDING_POLICY, type LoadSheddingPolicy } from './load-shedding-policy.js';

/**
 * How many places each address, or each key, has in use. Those that have none are kept until there are more of them than
 * places: V8 gives a `Map` that loses an entry with every request one new table after the other.
 */
class Shares {
  private taken = new Map<string, number>();

  /**
   * @param most places of one
   * @param places of all together
   */
  constructor(
    private readonly most: number,
    private readonly places: number,
  ) {}

  /** Addresses, or keys, that are kept. */
  get kept(): number {
    return this.taken.size;
  }

  isUsed(id: string): boolean {
    return (this.taken.get(id) ?? 0) >= this.most;
  }

  take(id: string): void {
    this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
  }

  giveBack(id: string): void {
    this.taken.set(id, (this.taken.get(id) ?? 0) - 1);
    if (this.taken.size > 2 * this.places)
      this.taken = new Map([...this.taken].filter(([, taken]) => taken > 0));
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
    this.addresses = new Shares(mostOfOne, maxConcurrentRequests);
    this.keys = new Shares(mostOfOne, maxConcurrentRequests);
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

/** The place of one request: reserved, taken, perhaps released for a while, and in the end given back for good. */
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

  /** Lets others have the place while the request waits for its client; {@link take} takes it again. */
  release(): void {
    if (this.state !== 'taken') return;
    this.state = 'reserved';
    this.free();
  }

  giveBack(): void {
    const isTaken = this.state === 'taken';
    this.state = 'given back';
    if (isTaken) this.free();
  }

  private free(): void {
    const { places, address, keyId } = this;
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
