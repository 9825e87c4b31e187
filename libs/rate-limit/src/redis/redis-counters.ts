import type { RateLimitObserver } from '../limiter/rate-limit-observer.js';
import type { RedisSnapshot } from '../limiter/rate-limit-result.js';
import type { LocalCounters } from '../local/local-counters.js';
import type { SubjectRecord } from '../local/subject-record.js';
import type { RateLimitSubject } from '../policy.js';
import { LIFT_BAN_REQUEST } from './charge-script.js';
import { CircuitBreaker, type RedisTimeouts } from './circuit-breaker.js';
import { type OnResult, PendingCharge } from './pending-charge.js';
import type { RedisConnection } from './redis-connection.js';

/** Most subjects in one of the calls that send unsynced requests. */
const MAX_SYNCED_TOGETHER = 20;
/** What a server says to a user, a password, a database or a name of a key that it does not accept. */
const REFUSED = /^(?:NOPERM|NOAUTH|WRONGPASS|ERR|MOVED|CROSSSLOT) /;

/** How {@link RedisCounters} work. */
export interface RedisCountersOptions {
  readonly observer: RateLimitObserver;
  readonly timeouts: RedisTimeouts;
}

/**
 * Decides by the counters in Redis, which all instances share. The charges of one tick of the event loop are one call, at its
 * end; on a cluster each subject is a separate call. The local counters decide for a server that is unavailable.
 */
export class RedisCounters {
  /** The charges of this tick; the latest of each subject, which others may join. */
  private batch: PendingCharge[] = [];
  private readonly bySubject = new Map<string, PendingCharge>();
  /** By the names of servers. */
  private readonly breakers = new Map<string, CircuitBreaker>();

  constructor(
    private readonly connection: RedisConnection,
    private readonly local: LocalCounters,
    private readonly options: RedisCountersOptions,
  ) {}

  /** Connects, within about a second, and finds out which servers respond. */
  async connect(): Promise<void> {
    const { connection } = this;
    await connection.connect((name, reason) => {
      this.breakerOf(name).open(reason);
    });
    await Promise.all([...connection.names()].map((name) => this.breakerOf(name).probe()));
  }

  /** Decides about one request. */
  charge(wanted: RateLimitSubject, onResult: OnResult): void {
    const record = this.local.use(wanted);
    const { subject } = record;
    let charge = this.bySubject.get(subject.id);
    if (!charge?.canJoin(subject)) {
      charge = new PendingCharge(subject, record, true);
      this.enqueue(charge);
      this.bySubject.set(subject.id, charge);
    }
    charge.join(onResult);
  }

  /** The result that a request would get now. */
  peek(wanted: RateLimitSubject, onResult: OnResult): void {
    const { subject, record } = this.local.find(wanted);
    const charge = new PendingCharge(subject, record, false);
    charge.join(onResult);
    this.enqueue(charge);
  }

  /** Ends a ban; resolves to whether there was one. */
  liftBan(id: string): Promise<boolean> {
    const { connection } = this;
    const breaker = this.breakerOf(connection.nameOfServer(id));
    if (breaker.isOpen) return Promise.resolve(false);
    return new Promise((resolve) => {
      breaker.watch(connection.run([id], [LIFT_BAN_REQUEST]), (reply) => {
        resolve((reply?.[0]?.banMs ?? 0) > 0);
      });
    });
  }

  close(): void {
    for (const breaker of this.breakers.values()) breaker.stop();
    this.connection.close();
  }

  private enqueue(charge: PendingCharge): void {
    if (this.batch.push(charge) > 1) return;
    // The end of this tick: whatever else came in with it has been handled by then.
    setImmediate(() => {
      const { batch } = this;
      this.batch = [];
      this.bySubject.clear();
      this.send(batch);
    });
  }

  /** @param onDecided is called when all have been decided */
  private send(charges: readonly PendingCharge[], onDecided?: () => void): void {
    const { maxTogether } = this.connection;
    let callsLeft = Math.ceil(charges.length / maxTogether);
    for (let i = 0; i < charges.length; i += maxTogether) {
      this.call(charges.slice(i, i + maxTogether), () => {
        if (--callsLeft === 0) onDecided?.();
      });
    }
  }

  /** Decides charges of one server in one call. */
  private call(charges: readonly PendingCharge[], onDecided: () => void): void {
    const { connection, local } = this;
    const ids = charges.map(({ subject }) => subject.id);
    const breaker = this.breakerOf(connection.nameOfServer(ids[0] ?? ''));
    const onReply = (reply: readonly RedisSnapshot[] | undefined): void => {
      if (reply) this.apply(charges, reply);
      else for (const charge of charges) charge.decideLocally(local);
      onDecided();
    };
    if (breaker.isOpen) {
      onReply(undefined);
      return;
    }
    const now = local.now();
    const requests = charges.map((charge) => charge.begin(now));
    breaker.watch(connection.run(ids, requests), onReply, (late) => {
      late.forEach((snapshot, i) => charges[i]?.applyLate(snapshot));
    });
  }

  private apply(charges: readonly PendingCharge[], reply: readonly RedisSnapshot[]): void {
    const now = this.local.now();
    const unsynced: SubjectRecord[] = [];
    reply.forEach((snapshot, i) => {
      const charge = charges[i];
      if (charge === undefined) return;
      const { subject, record } = charge;
      if (record.isLost(snapshot, now)) this.options.observer.lost?.(subject);
      charge.apply(snapshot, now);
      if (record.unsynced > 0) unsynced.push(record);
    });
    if (unsynced.length > 0) void this.sync(unsynced);
  }

  /** Sends unsynced requests, so that other processes count them as well. */
  private async sync(records: readonly SubjectRecord[]): Promise<void> {
    for (let i = 0; i < records.length; i += MAX_SYNCED_TOGETHER) {
      const some = records.slice(i, i + MAX_SYNCED_TOGETHER);
      const charges = some.map((record) => new PendingCharge(record.subject, record, false));
      await new Promise<void>((resolve) => {
        this.send(charges, resolve);
      });
    }
  }

  private breakerOf(name: string): CircuitBreaker {
    let breaker = this.breakers.get(name);
    if (breaker === undefined) {
      breaker = this.createBreaker(name);
      this.breakers.set(name, breaker);
    }
    return breaker;
  }

  private createBreaker(name: string): CircuitBreaker {
    const { connection, local, options } = this;
    const { observer, timeouts } = options;
    return new CircuitBreaker({
      timeouts,
      probe: () => connection.probe(name),
      reasonOf: (error) => connection.reasonOf(error),
      opened: (reason) => {
        observer.degraded?.({ node: name, reason, refused: REFUSED.test(reason) });
      },
      closed: (afterMs) => {
        observer.recovered?.({ node: name, afterMs });
        void this.sync(local.unsynced());
      },
      silent: () => {
        connection.reconnect(name);
      },
    });
  }
}
