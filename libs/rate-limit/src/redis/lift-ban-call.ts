import { LIFT_BAN_SCRIPT } from './script/lift-ban.lua.js';
import { RedisScript } from './script/redis-script.js';
import { ScriptCall } from './connection/script-call.js';

const SCRIPT = new RedisScript(LIFT_BAN_SCRIPT);

/** Lifts one ban. */
export class LiftBanCall extends ScriptCall {
  /** @param done called with whether there was a ban; `undefined` when Redis is unavailable. */
  constructor(
    private readonly key: string,
    private readonly now: string,
    private readonly done: (lifted: boolean | undefined) => void,
  ) {
    super(SCRIPT, [key]);
  }

  protected override args(): readonly string[] {
    return [this.now];
  }

  protected override onReply(reply: unknown): void {
    this.done(reply === 1);
  }

  protected override onFailure(): void {
    this.done(undefined);
  }

  protected override parts(): readonly ScriptCall[] {
    return [new LiftBanCall(this.key, this.now, this.done)];
  }
}
