import type { WebhookId } from '../endpoint/webhook-id.js';
import type { ClaimedDelivery } from './delivery-queue.js';

/** Attempts at a time, of one endpoint and of all. */
export const PER_ENDPOINT = 4;
export const PER_PROCESS = 64;

/** Deliveries that an endpoint which responds fast has waiting here, so that none waits for the database. */
const AHEAD = 28;
/** Of all attempts at a time, those to slow endpoints: the rest is for the others. */
const SLOW_SHARE = PER_PROCESS / 2;
/** Deliveries that this process holds at a time, whatever their state. */
const MOST_HELD = 256;
/** How long an endpoint that was slow counts as slow, in milliseconds. */
const SLOW_FOR_MS = 60_000;
/** Endpoints that are remembered. */
const MOST_LANES = 500;

interface Lane {
  readonly waiting: ClaimedDelivery[];
  /** Attempts under way. */
  active: number;
  /** Waiting, under way, or ended and not yet settled. */
  held: number;
  /** Whether it has ever responded in time. */
  isKnown: boolean;
  /** On the clock of `performance.now()`. */
  slowUntil: number;
}

/** What may be claimed. */
export interface Room {
  readonly most: number;
  readonly places: ReadonlyMap<WebhookId, number>;
  readonly otherPlaces: number;
}

/**
 * Which delivery is attempted next. Each endpoint has a lane of its own with a bounded number of places, so that none
 * can hold others up: a new endpoint has one place until it has responded, one that responds fast has some more than
 * are attempted at a time, and slow ones share half of all places.
 */
export class EndpointLanes {
  /** The longest unused ones first. */
  private readonly lanes = new Map<WebhookId, Lane>();
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
    const now = this.now();
    let slowRoom = SLOW_SHARE;
    for (const lane of this.lanes.values()) if (lane.slowUntil > now) slowRoom -= lane.held;
    const places = new Map<WebhookId, number>();
    for (const [id, lane] of this.lanes) {
      if (lane.slowUntil > now) {
        const free = Math.max(0, Math.min(PER_ENDPOINT - lane.held, slowRoom));
        slowRoom -= free;
        places.set(id, free);
      } else places.set(id, Math.max(0, (lane.isKnown ? PER_ENDPOINT + AHEAD : 1) - lane.held));
    }
    return { most, places, otherPlaces: 1 };
  }

  add(deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      const lane = this.use(delivery.webhookId);
      lane.waiting.push(delivery);
      lane.held++;
      this.heldCount++;
    }
  }

  /** The next delivery to attempt, which is under way from now on; `undefined` while all places are taken. */
  next(): ClaimedDelivery | undefined {
    if (this.activeCount >= PER_PROCESS) return undefined;
    for (const [id, lane] of this.lanes) {
      if (lane.active >= PER_ENDPOINT) continue;
      const delivery = lane.waiting.shift();
      if (delivery === undefined) continue;
      lane.active++;
      this.activeCount++;
      this.use(id);
      return delivery;
    }
    return undefined;
  }

  /** An attempt takes long: its endpoint has fewer places for a while. @returns what waited, to be given back */
  slowDown(webhookId: WebhookId): readonly ClaimedDelivery[] {
    const lane = this.use(webhookId);
    lane.slowUntil = this.now() + SLOW_FOR_MS;
    return lane.waiting.splice(0);
  }

  /** An attempt has ended. */
  end({ webhookId }: ClaimedDelivery): void {
    const lane = this.use(webhookId);
    lane.active--;
    this.activeCount--;
    lane.isKnown = true;
  }

  /** What was settled or given back is no longer held. */
  remove(deliveries: readonly ClaimedDelivery[]): void {
    for (const { webhookId } of deliveries) {
      this.use(webhookId).held--;
      this.heldCount--;
    }
    this.forget();
  }

  /** All that waits, which no longer does. */
  takeWaiting(): readonly ClaimedDelivery[] {
    return [...this.lanes.values()].flatMap(({ waiting }) => waiting.splice(0));
  }

  private use(webhookId: WebhookId): Lane {
    const lane = this.lanes.get(webhookId) ?? {
      waiting: [],
      active: 0,
      held: 0,
      isKnown: false,
      slowUntil: 0,
    };
    this.lanes.delete(webhookId);
    this.lanes.set(webhookId, lane);
    return lane;
  }

  private forget(): void {
    for (const [id, { held }] of this.lanes) {
      if (this.lanes.size <= MOST_LANES) return;
      if (held === 0) this.lanes.delete(id);
    }
  }
}
