import type { WebhookId } from '../endpoint/webhook-id.js';
import type { ClaimedDelivery, ClaimRequest } from './delivery-queue.js';

/** Attempts at a time, of one endpoint and of all. */
export const PER_ENDPOINT = 4;
export const PER_PROCESS = 64;

/** Deliveries that an endpoint which responds fast has waiting here, so that none waits for the database. */
const AHEAD = 28;
/** Of all attempts at a time, those to slow endpoints. */
const SLOW_SHARE = PER_PROCESS / 2;
/**
 * Attempts at a time to endpoints that have yet to respond in time, besides those of {@link PER_PROCESS}. One that hangs
 * counts as slow after a second: so many of them are found out in each second.
 */
export const NEW_SHARE = 2 * PER_PROCESS;
/** Places for endpoints that respond fast, even where others that hang have all of {@link PER_PROCESS}. */
const FAST_SHARE = PER_PROCESS / 4;
/** Whatever becomes of endpoints: 200 that hang leave places to new ones and to fast ones. */
export const MOST_ACTIVE = 4 * PER_PROCESS;
/** Deliveries that this process holds at a time, whatever their state. */
const MOST_HELD = 512;
/** How long an endpoint that was slow counts as slow, in milliseconds. */
const SLOW_FOR_MS = 60_000;
/** Endpoints that are remembered. */
const MOST_LANES = 500;

interface Lane<Delivery> {
  readonly waiting: Delivery[];
  /** Attempts under way. */
  active: number;
  /** Waiting, under way, or ended and not yet settled. */
  held: number;
  /** Whether it has responded in time since it was slow. */
  isKnown: boolean;
  /** On the clock of `performance.now()`. */
  slowUntil: number;
  /** Larger than that of all lanes that were used before. */
  lastUse: number;
}

/** What counts together. */
type LaneKind = 'fast' | 'slow' | 'new';

/** What may be claimed. */
export type Room = Omit<ClaimRequest, 'leaseMs'>;

/**
 * Which delivery is attempted next. Each endpoint has a lane of its own with a bounded number of places, so that none
 * can hold others up: a new endpoint has one place until it has responded in time, one that responds fast has some more
 * than are attempted at a time. Slow ones share half of all places, a quarter is for fast ones only; new ones share places
 * of their own, of which an idle one takes up none.
 */
export class EndpointLanes<Delivery extends ClaimedDelivery> {
  private readonly lanes = new Map<WebhookId, Lane<Delivery>>();
  private uses = 0;
  private activeCount = 0;
  private heldCount = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Attempts under way. */
  get active(): number {
    return this.activeCount;
  }

  /** Deliveries that were added and not removed. */
  get held(): number {
    return this.heldCount;
  }

  /** What may be claimed now; `undefined` when there is no room. */
  room(): Room | undefined {
    const most = MOST_HELD - this.heldCount;
    if (most <= 0) return undefined;
    const held = this.heldByKind();
    let slowRoom = SLOW_SHARE - held.slow;
    const places = new Map<WebhookId, number>();
    for (const [id, lane] of this.longestUnusedFirst()) {
      const kind = this.kindOf(lane);
      if (kind === 'slow') {
        const free = Math.max(0, Math.min(PER_ENDPOINT - lane.held, slowRoom));
        slowRoom -= free;
        places.set(id, free);
      } else if (kind === 'fast') places.set(id, Math.max(0, PER_ENDPOINT + AHEAD - lane.held));
      // Whether anything is due for the idle ones, and whether they still exist, only the store knows: they are others.
      else if (lane.held > 0) places.set(id, 0);
    }
    const heldOf = new Map([...this.lanes].map(([id, lane]) => [id, lane.held]));
    return { most, places, held: heldOf, otherPlaces: 1, mostOthers: Math.max(0, NEW_SHARE - held.new) };
  }

  add(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      const lane = this.use(delivery.webhookId);
      lane.waiting.push(delivery);
      lane.held++;
      this.heldCount++;
    }
  }

  /**
   * The next delivery to attempt, which is under way from now on: of the endpoint that was used the longest ago.
   * `undefined` while all places are taken.
   */
  next(): Delivery | undefined {
    if (this.activeCount >= MOST_ACTIVE) return undefined;
    const free = this.freeByKind();
    let next: Lane<Delivery> | undefined;
    for (const lane of this.lanes.values()) {
      if (lane.active >= PER_ENDPOINT || lane.waiting.length === 0 || free[this.kindOf(lane)] <= 0) continue;
      if (next === undefined || lane.lastUse < next.lastUse) next = lane;
    }
    const delivery = next?.waiting.shift();
    if (next === undefined || delivery === undefined) return undefined;
    next.lastUse = ++this.uses;
    next.active++;
    this.activeCount++;
    return delivery;
  }

  /** An attempt takes long: its endpoint has fewer places for a while. @returns what waited, to be given back */
  slowDown(webhookId: WebhookId): readonly Delivery[] {
    const lane = this.use(webhookId);
    lane.slowUntil = this.now() + SLOW_FOR_MS;
    lane.isKnown = false;
    return lane.waiting.splice(0);
  }

  /** An attempt has ended. */
  end({ webhookId }: Delivery): void {
    const lane = this.use(webhookId);
    lane.active--;
    this.activeCount--;
    if (this.kindOf(lane) === 'new') lane.isKnown = true;
  }

  /** What was settled or given back is no longer held. */
  remove(deliveries: readonly Delivery[]): void {
    for (const { webhookId } of deliveries) {
      this.use(webhookId).held--;
      this.heldCount--;
    }
    this.forget();
  }

  /** All that waits, which no longer does. */
  takeWaiting(): readonly Delivery[] {
    return [...this.lanes.values()].flatMap(({ waiting }) => waiting.splice(0));
  }

  private kindOf({ slowUntil, isKnown }: Lane<Delivery>): LaneKind {
    if (slowUntil > this.now()) return 'slow';
    return isKnown ? 'fast' : 'new';
  }

  private heldByKind(): Record<LaneKind, number> {
    return this.count(({ held }) => held);
  }

  /** How many attempts may begin. */
  private freeByKind(): Record<LaneKind, number> {
    const active = this.count((lane) => lane.active);
    const free = PER_PROCESS - active.fast - active.slow;
    const reserved = Math.max(0, FAST_SHARE - active.fast);
    return {
      fast: Math.max(free, reserved),
      slow: Math.min(SLOW_SHARE - active.slow, free - reserved),
      new: Math.min(NEW_SHARE - active.new, MOST_ACTIVE - this.activeCount - reserved),
    };
  }

  private count(of: (lane: Lane<Delivery>) => number): Record<LaneKind, number> {
    const counts = { fast: 0, slow: 0, new: 0 };
    for (const lane of this.lanes.values()) counts[this.kindOf(lane)] += of(lane);
    return counts;
  }

  private use(webhookId: WebhookId): Lane<Delivery> {
    let lane = this.lanes.get(webhookId);
    if (lane === undefined) {
      lane = { waiting: [], active: 0, held: 0, isKnown: false, slowUntil: 0, lastUse: 0 };
      this.lanes.set(webhookId, lane);
    }
    lane.lastUse = ++this.uses;
    return lane;
  }

  /** The longest unused ones, when there are too many. */
  private forget(): void {
    const tooMany = this.lanes.size - MOST_LANES;
    if (tooMany <= 0) return;
    const unused = this.longestUnusedFirst().filter(([, { held }]) => held === 0);
    for (const [id] of unused.slice(0, tooMany)) this.lanes.delete(id);
  }

  private longestUnusedFirst(): [WebhookId, Lane<Delivery>][] {
    return [...this.lanes].sort(([, one], [, other]) => one.lastUse - other.lastUse);
  }
}
