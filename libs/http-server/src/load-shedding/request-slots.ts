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

/** Handlers that have read a body: their requests wait for one, which those of others do not, whatever they announce. */
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
   * Prepares the slot of a request, to be taken when its key is accepted. Whoever reserves it closes it when the request
   * is over, whatever ends that.
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
