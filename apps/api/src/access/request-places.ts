import type { IncomingMessage, ServerResponse } from 'node:http';

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
 * The places for requests that are being worked on in this process. One key holds at most a quarter of them, so
 * do the keys of one address together, and so do the requests of one address whose key is not accepted (yet): no
 * client can keep all others out, and those without a key none with one.
 */
export class RequestPlaces {
  /** Places in use. */
  taken = 0;
  readonly addresses: Shares;
  /** Of requests whose key is accepted. */
  readonly addressesWithKey: Shares;
  readonly keys: Shares;

  /** @param most places in all, at least 1 */
  constructor(private readonly most: number) {
    const mostOfOne = Math.ceil(most / 4);
    this.addresses = new Shares(mostOfOne);
    this.addressesWithKey = new Shares(mostOfOne);
    this.keys = new Shares(mostOfOne);
  }

  get isFull(): boolean {
    return this.taken >= this.most;
  }

  /**
   * Prepares the place of a request, to be taken when there is nothing more to wait for from its client. It is
   * given back when the response is closed, whatever ends it.
   *
   * @param hasKey whether it counts as a request with an accepted key from the beginning
   */
  reserve(request: IncomingMessage, response: ServerResponse, address: string, hasKey = false): RequestPlace {
    const place = new RequestPlace(this, address, hasKey);
    (request as PlacedRequest)[PLACE] = place;
    response.on('close', giveBack);
    return place;
  }
}

/** The place of one request: reserved, then taken, then given back for good. */
export class RequestPlace {
  private state: 'reserved' | 'taken' | 'given back' = 'reserved';
  private keyId: string | undefined;
  /** Whether it was given up for a while, and has to be taken again. */
  isWaiting = false;

  constructor(
    private readonly places: RequestPlaces,
    private readonly address: string,
    private hasKey: boolean,
  ) {}

  /** Takes the place. @returns false when all are in use, or the share of the request's address or key is */
  take(): boolean {
    const { state, places, address, keyId } = this;
    if (state !== 'reserved') return state === 'taken';
    if (places.isFull || this.ofAddress.isUsed(address)) return false;
    if (keyId !== undefined && places.keys.isUsed(keyId)) return false;
    this.state = 'taken';
    this.isWaiting = false;
    places.taken++;
    this.ofAddress.take(address);
    if (keyId !== undefined) places.keys.take(keyId);
    return true;
  }

  /**
   * Counts the place for an accepted key: no more among those of its address without one.
   * @returns false when the key, or the keys of the address, have their share in use
   */
  countFor(keyId: string): boolean {
    const { state, address } = this;
    const { keys, addresses, addressesWithKey } = this.places;
    if (state === 'given back' || keys.isUsed(keyId)) return false;
    if (state === 'taken') {
      if (!this.hasKey) {
        if (addressesWithKey.isUsed(address)) return false;
        addresses.giveBack(address);
        addressesWithKey.take(address);
      }
      keys.take(keyId);
    }
    this.hasKey = true;
    this.keyId = keyId;
    return true;
  }

  /** Gives the place up while the request waits for something that is no work; it has to be taken again. */
  wait(): void {
    if (this.state !== 'taken') return;
    this.giveBack();
    this.state = 'reserved';
    this.isWaiting = true;
  }

  giveBack(): void {
    const { state, places, address, keyId } = this;
    this.state = 'given back';
    if (state !== 'taken') return;
    places.taken--;
    this.ofAddress.giveBack(address);
    if (keyId !== undefined) places.keys.giveBack(keyId);
  }

  private get ofAddress(): Shares {
    return this.hasKey ? this.places.addressesWithKey : this.places.addresses;
  }
}

/** The place of a request under `/v1`; others need none. */
export function placeOf(request: IncomingMessage): RequestPlace | undefined {
  return (request as PlacedRequest)[PLACE];
}

function giveBack(this: ServerResponse): void {
  placeOf(this.req)?.giveBack();
}
