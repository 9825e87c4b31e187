import type { DelivererLog } from './deliverer-log.js';
import type { EndpointChange, EndedAttempt } from './delivery-queue.js';

/** Lines a second. Owners decide how often an endpoint fails, and how many of them there are. */
const MAX_LINES = 10;

/** Writes a line when an endpoint begins to fail, when it works again and when it is disabled; ten a second at most. */
export class EndpointLog {
  private lines = 0;
  /** When further lines may be written, on the clock of `performance.now()`. */
  private nextSecondAt = 0;
  /** Changes without a line since the last one. */
  private leftOut = 0;

  constructor(private readonly log: DelivererLog) {}

  /** @param attempts that have caused the changes */
  write(changes: readonly EndpointChange[], attempts: readonly EndedAttempt[]): void {
    for (const change of changes) {
      if (!this.isThereRoom()) {
        this.leftOut++;
        continue;
      }
      const { leftOut } = this;
      this.leftOut = 0;
      this.writeLine(change, attempts, leftOut === 0 ? {} : { leftOut });
    }
  }

  private isThereRoom(): boolean {
    const now = performance.now();
    if (now >= this.nextSecondAt) {
      this.nextSecondAt = now + 1_000;
      this.lines = 0;
    }
    return this.lines++ < MAX_LINES;
  }

  private writeLine(
    { webhookId, change, reason }: EndpointChange,
    attempts: readonly EndedAttempt[],
    more: object,
  ): void {
    if (change === 'disabled') this.log.info({ webhookId, reason, ...more }, 'webhook disabled');
    else if (change === 'well') this.log.info({ webhookId, ...more }, 'webhook works again');
    else {
      const outcomes = attempts
        .filter((one) => one.delivery.webhookId === webhookId)
        .map((one) => one.outcome);
      const failure = outcomes.find((one) => !one.isDelivered);
      const { error, responseStatus } = failure ?? {};
      this.log.warn({ webhookId, error, responseStatus, ...more }, 'webhook failing');
    }
  }
}
