import type { ChainableCommander, Cluster, Redis } from 'ioredis';
import type { RedisScript } from '../script/redis-script.js';

/** What a call can be sent to. */
export type ScriptConnection = Redis | Cluster | ChainableCommander;

/** One run of a script, which ends once: with the reply, or with the knowledge that there will be none. */
export abstract class ScriptCall {
  /** Called when the call ends. */
  onSettled: (() => void) | undefined;
  private hasSettled = false;
  private sent = false;
  private openParts: readonly ScriptCall[] = [];

  constructor(
    readonly script: RedisScript,
    readonly keys: readonly string[],
  ) {}

  get settled(): boolean {
    return this.hasSettled;
  }

  /** Whether the call goes on as several smaller ones. */
  get isSplit(): boolean {
    return this.openParts.length > 0;
  }

  /**
   * Runs the script by its name, or with its text for a server that does not know it. An error is left to
   * `onError`, unless the call has ended by then.
   */
  sendTo(connection: ScriptConnection, withText: boolean, onError: (error: Error) => void): void {
    const { script, keys } = this;
    const name = withText ? 'eval' : 'evalsha';
    const text = withText ? script.source : script.sha;
    this.sent = true;
    void connection.callBuffer(name, [text, keys.length, ...keys, ...this.args()], (error, reply) => {
      if (!error) this.reply(reply as Buffer);
      else if (!this.hasSettled) onError(error);
    });
  }

  fail(): void {
    if (this.isSplit) {
      for (const part of this.openParts) part.fail();
    } else if (this.settle()) {
      this.onFailure(this.sent);
    }
  }

  /** The same as one call for each key; this call ends when the last of them does. */
  split(): readonly ScriptCall[] {
    this.openParts = this.parts();
    let open = this.openParts.length;
    for (const part of this.openParts) {
      part.onSettled = () => {
        if (--open === 0) this.settle();
      };
    }
    return this.openParts;
  }

  protected abstract args(): readonly string[];
  protected abstract onReply(reply: Buffer): void;
  /** @param sent whether a server may have run it without a response */
  protected abstract onFailure(sent: boolean): void;
  protected abstract parts(): readonly ScriptCall[];

  private reply(reply: Buffer): void {
    if (this.settle()) this.onReply(reply);
  }

  private settle(): boolean {
    if (this.hasSettled) return false;
    this.hasSettled = true;
    this.onSettled?.();
    return true;
  }
}
