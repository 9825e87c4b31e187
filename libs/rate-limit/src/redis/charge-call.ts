import type { InProcessStore } from '../in-process/in-process-store.js';
import { readStanding, spellRequests } from './charge-wire.js';
import type { Decision } from './decision.js';
import type { RedisScript } from './redis-script.js';
import { ScriptCall } from './script-call.js';

/** What all decisions of a store have in common. */
export interface ChargeContext {
  readonly script: RedisScript;
  readonly keyOf: (id: string) => string;
  /** Unix time in milliseconds as text, in tests; empty for the server's own. */
  readonly now: () => string;
  /** Decides while Redis is away, and remembers what was decided while it was not. */
  readonly inProcess: InProcessStore;
}

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

  override onForgotten(): void {
    this.context.inProcess.distrustRedis();
  }

  protected override args(): readonly string[] {
    const { inProcess, now } = this.context;
    return [now(), spellRequests(this.decisions, (subject, count) => inProcess.mostOf(subject, count))];
  }

  protected override onReply(reply: Buffer): void {
    const { inProcess } = this.context;
    this.decisions.forEach((decision, index) => {
      const { subject, count } = decision;
      decision.settle(inProcess.follow(subject, count, readStanding(reply, index)));
    });
  }

  protected override onFailure(): void {
    const { inProcess } = this.context;
    inProcess.distrustRedis();
    for (const decision of this.decisions) {
      decision.settle(inProcess.decide(decision.subject, decision.count));
    }
  }

  protected override parts(): readonly ScriptCall[] {
    return this.decisions.map((decision) => new ChargeCall(this.context, [decision]));
  }
}
