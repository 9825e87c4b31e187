import { LIFT_BAN_SCRIPT } from './charge.lua.js';
import { RedisScript } from './redis-script.js';
import { ScriptCall } from './script-call.js';

const SCRIPT = new RedisScript(LIFT_BAN_SCRIPT);

/** Lifts one ban. */
export class LiftBanCall extends ScriptCall {
  /** @param done told whether there was a ban; `undefined` when Redis is away. */
  constructor(
    key: string,
    now: string,
    private readonly done: (lifted: boolean | undefined) => void,
  ) {
    super(SCRIPT, [key], [now]);
  }

  protected override onReply(reply: unknown): void {
    this.done(reply === 1);
  }

  protected override onFailure(): void {
    this.done(undefined);
  }

  protected override parts(): readonly ScriptCall[] {
    const [key = ''] = this.keys;
    const [now = ''] = this.args;
    return [new LiftBanCall(key, now, this.done)];
  }
}
