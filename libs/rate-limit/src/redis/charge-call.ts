import type { InProcessStore } from '../in-process/in-process-store.js';
import { NO_MARKS } from '../in-process/redis-mirror.js';
import { readStanding, spellRequest } from './charge-wire.js';
import type { Standing } from '../decision/window-snapshot.js';
import type { Decision } from './coalesced-charge.js';
import type { RedisScript } from './script/redis-script.js';
import { ScriptCall } from './connection/script-call.js';

/** What all decisions of a store have in common. */
export interface ChargeContext {
  readonly script: RedisScript;
  readonly keyOf: (id: string) => string;
  /** Unix time in milliseconds as text, in tests; empty for the server's own. */
  readonly now: () => string;
  /** Decides while Redis is away, and remembers what was decided while it was not. */
  readonly inProcess: InProcessStore;
  /** Asks again about requests that were not decided. */
  readonly again: (decisions: readonly Decision[]) => void;
}

/** Most questions about one decision; two are enough unless counters are lost again and again in between. */
const MOST_ROUNDS = 5;

/** Decisions that travel together. */
export class ChargeCall extends ScriptCall {
  constructor(
    private readonly context: ChargeContext,
    private readonly decisions: readonly Decision[],
  ) {
    super(
      context.script,
      decisions.map(({ subject }) => context.keyOf(subject.id)),
    );
  }

  protected override args(): readonly string[] {
    const { inProcess, now } = this.context;
    let requests = '';
    let apart = '';
    for (const decision of this.decisions) {
      const { subject, count } = decision;
      const record = inProcess.recordOf(subject, count);
      decision.record = record;
      requests += spellRequest(subject, count);
      if (record === undefined) requests += NO_MARKS;
      else {
        const mirror = inProcess.toTell(record, subject);
        decision.knewMore = mirror.apart !== undefined;
        requests += mirror.marks;
        if (decision.knewMore) apart += mirror.apartMarks;
      }
    }
    return [now(), requests, apart];
  }

  protected override onReply(reply: Buffer): void {
    const { inProcess, again } = this.context;
    const open: Decision[] = [];
    this.decisions.forEach((decision, index) => {
      const standing = readStanding(reply, index);
      if (index === 0) inProcess.heardOf(standing.now);
      const { record, subject } = decision;
      const isLast = ++decision.rounds >= MOST_ROUNDS;
      if (standing.behind && isLast) {
        decision.settle(inProcess.decideApart(subject, decision.count, false));
        return;
      }
      if (standing.behind) {
        record?.recover(standing, subject);
        open.push(decision);
        return;
      }
      const complete = record?.follow(standing, subject) ?? standing;
      // What was said to be used beside what Redis knows has left its window in the moment between.
      if (!isLast && decision.knewMore && wasRefusedInVain(decision, complete)) open.push(decision);
      else decision.settle(complete);
    });
    if (open.length > 0) again(open);
  }

  protected override onFailure(sent: boolean): void {
    const { inProcess } = this.context;
    for (const decision of this.decisions) {
      decision.settle(inProcess.decideApart(decision.subject, decision.count, sent));
    }
  }

  protected override parts(): readonly ScriptCall[] {
    return this.decisions.map((decision) => new ChargeCall(this.context, [decision]));
  }
}

function wasRefusedInVain({ subject, count }: Decision, standing: Standing): boolean {
  const { perMinute, perDay } = subject.limits;
  const { admitted, banMs, minuteUsed, dayUsed } = standing;
  return count > 0 && admitted === 0 && banMs === 0 && minuteUsed < perMinute && dayUsed < perDay;
}
