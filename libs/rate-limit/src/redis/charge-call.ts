import type { InProcessStore } from '../in-process/in-process-store.js';
import { NO_MARKS } from '../in-process/redis-mirror.js';
import { readSnapshot, spellRequest } from './charge-wire.js';
import type { WindowSnapshot } from '../decision/window-snapshot.js';
import type { CoalescedCharge } from './coalesced-charge.js';
import type { RedisScript } from './script/redis-script.js';
import { ScriptCall } from './connection/script-call.js';

/** What all charges of a store have in common. */
export interface ChargeContext {
  readonly script: RedisScript;
  readonly keyOf: (id: string) => string;
  /** Unix time in milliseconds as text, in tests; empty for the server's own. */
  readonly now: () => string;
  /** Decides while Redis is unavailable, and remembers what was decided while it was not. */
  readonly inProcess: InProcessStore;
  /** Asks again about requests that were not decided. */
  readonly retry: (charges: readonly CoalescedCharge[]) => void;
}

/** Most questions about one decision; two are enough unless counters are lost again and again in between. */
const MOST_ROUNDS = 5;

/** Charges that travel together. */
export class ChargeCall extends ScriptCall {
  constructor(
    private readonly context: ChargeContext,
    private readonly charges: readonly CoalescedCharge[],
  ) {
    super(
      context.script,
      charges.map(({ subject }) => context.keyOf(subject.id)),
    );
  }

  protected override args(): readonly string[] {
    const { inProcess, now } = this.context;
    let requests = '';
    let unshared = '';
    for (const charge of this.charges) {
      const { subject, count } = charge;
      const record = inProcess.recordOf(subject, count);
      charge.record = record;
      requests += spellRequest(subject, count);
      if (record === undefined) requests += NO_MARKS;
      else {
        const mirror = inProcess.prepareMirror(record, subject);
        charge.hasUnshared = mirror.unshared !== undefined;
        requests += mirror.marks;
        if (charge.hasUnshared) unshared += mirror.unsharedMarks;
      }
    }
    return [now(), requests, unshared];
  }

  protected override onReply(reply: Buffer): void {
    const { inProcess, retry } = this.context;
    const open: CoalescedCharge[] = [];
    this.charges.forEach((charge, index) => {
      const snapshot = readSnapshot(reply, index);
      if (index === 0) inProcess.syncClock(snapshot.now);
      const { record, subject } = charge;
      const isLast = ++charge.rounds >= MOST_ROUNDS;
      if (snapshot.stale && isLast) {
        charge.resolveAll(inProcess.decideLocally(subject, charge.count, false));
        return;
      }
      if (snapshot.stale) {
        record?.markRedisStale(snapshot, subject);
        open.push(charge);
        return;
      }
      const complete = record?.mirror(snapshot, subject) ?? snapshot;
      // What was said to be used beside what Redis knows has left its window in the moment between.
      if (!isLast && charge.hasUnshared && wasRefusedInVain(charge, complete)) open.push(charge);
      else charge.resolveAll(complete);
    });
    if (open.length > 0) retry(open);
  }

  protected override onFailure(sent: boolean): void {
    const { inProcess } = this.context;
    for (const charge of this.charges) {
      charge.resolveAll(inProcess.decideLocally(charge.subject, charge.count, sent));
    }
  }

  protected override parts(): readonly ScriptCall[] {
    return this.charges.map((charge) => new ChargeCall(this.context, [charge]));
  }
}

function wasRefusedInVain({ subject, count }: CoalescedCharge, snapshot: WindowSnapshot): boolean {
  const { perMinute, perDay } = subject.limits;
  const { admitted, banMs, minuteUsed, dayUsed } = snapshot;
  return count > 0 && admitted === 0 && banMs === 0 && minuteUsed < perMinute && dayUsed < perDay;
}
