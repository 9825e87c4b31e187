import type { Clock } from '../windows/clock.js';
import type { InProcessStore } from '../in-process/in-process-store.js';
import { Plan } from '../policy/plan.js';
import type { Ban, RateLimitStore } from '../decision/rate-limit-store.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import type { RateLimitResult } from '../decision/rate-limit-result.js';
import { toBan, peekResult, toResult } from '../decision/window-snapshot.js';
import { ChargeCall, type ChargeContext } from './charge-call.js';
import type { CoalescedCharge, OnSnapshot } from './coalesced-charge.js';
import { LiftBanCall } from './lift-ban-call.js';
import type { RedisScript } from './script/redis-script.js';
import type { RedisTopology } from './connection/redis-topology.js';
import { ChargeBatch } from './charge-batch.js';

/**
 * How long to wait for Redis at the start; after that, the observer is called, and limits are kept in the process until it
 * is there.
 */
const CONNECT_TIMEOUT_MS = 1_000;
/** Most subjects in one call: it keeps the server from others for about half a millisecond. */
const MOST_PER_CALL = 200;
/** No subject holds more than this, so that nothing has to be looked for behind its oldest batch. */
const NO_LIMITS = { perMinute: Plan.MAX_LIMIT, perDay: Plan.MAX_LIMIT };

/** What a {@link RedisStore} works with. */
export interface RedisStoreParts {
  readonly topology: RedisTopology;
  /** Decides while Redis is unavailable. */
  readonly inProcess: InProcessStore;
  /** The `chargeScript`. */
  readonly script: RedisScript;
  /** What the names of all keys begin with. */
  readonly prefix: string;
  /** For tests; the servers' own time without. */
  readonly clock?: Clock | undefined;
}

/**
 * Limits kept in Redis, shared by all instances of the service. The charges of one turn of the event loop
 * travel as one call (on a cluster: as one write to each node), at the end of that turn.
 */
export class RedisStore implements RateLimitStore {
  private readonly topology: RedisTopology;
  private readonly inProcess: InProcessStore;
  private readonly context: ChargeContext;
  private batch: ChargeBatch | undefined;

  constructor({ topology, inProcess, script, prefix, clock }: RedisStoreParts) {
    this.topology = topology;
    this.inProcess = inProcess;
    this.context = {
      script,
      keyOf: (id) => prefix + id,
      now: () => (clock ? String(clock()) : ''),
      inProcess,
      retry: (charges) => {
        this.send(charges);
      },
    };
  }

  open(): Promise<void> {
    return this.topology.connect(CONNECT_TIMEOUT_MS);
  }

  charge(wanted: RateLimitSubject): Promise<RateLimitResult> {
    const subject = this.inProcess.effectiveSubject(wanted, true);
    return new Promise((resolve) => {
      this.currentBatch().charge(subject, (snapshot, index) => {
        resolve(toResult(snapshot, subject.limits, index));
      });
    });
  }

  peek(wanted: RateLimitSubject): Promise<RateLimitResult> {
    const subject = this.inProcess.effectiveSubject(wanted, false);
    return new Promise((resolve) => {
      this.currentBatch().peek(subject, (snapshot) => {
        resolve(peekResult(snapshot, subject.limits));
      });
    });
  }

  recall(subject: RateLimitSubject): RateLimitResult {
    return this.inProcess.recall(subject);
  }

  banOf(id: string): Promise<Ban | undefined> {
    return new Promise((resolve) => {
      const told: OnSnapshot = (snapshot) => {
        resolve(toBan(snapshot));
      };
      this.currentBatch().peek({ id, limits: NO_LIMITS, bannable: true }, told);
    });
  }

  async liftBan(id: string): Promise<boolean> {
    const key = this.context.keyOf(id);
    const lifted = await new Promise<boolean | undefined>((resolve) => {
      const call = new LiftBanCall(key, this.context.now(), resolve);
      this.topology.run([[this.topology.groupOf(key), call]]);
    });
    const liftedHere = await this.inProcess.liftBan(id);
    return lifted ?? liftedHere;
  }

  async close(): Promise<void> {
    await this.topology.close();
    await this.inProcess.close();
  }

  private currentBatch(): ChargeBatch {
    if (this.batch === undefined) {
      this.batch = new ChargeBatch();
      // The end of this turn: whatever else came in with it has been handled by then.
      setImmediate(() => {
        const { charges } = this.batch ?? new ChargeBatch();
        this.batch = undefined;
        this.send(charges);
      });
    }
    return this.batch;
  }

  private send(charges: readonly CoalescedCharge[]): void {
    const groups = new Map<number, CoalescedCharge[]>();
    for (const charge of charges) {
      const group = this.topology.groupOf(this.context.keyOf(charge.subject.id));
      const together = groups.get(group);
      if (together) together.push(charge);
      else groups.set(group, [charge]);
    }
    const calls: [number, ChargeCall][] = [];
    for (const [group, together] of groups) {
      for (let i = 0; i < together.length; i += MOST_PER_CALL) {
        calls.push([group, new ChargeCall(this.context, together.slice(i, i + MOST_PER_CALL))]);
      }
    }
    this.topology.run(calls);
  }
}
