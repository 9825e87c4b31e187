import type { RateLimiter, RateLimitResult } from '../src/index.js';
import { DAY, MINUTE } from '../src/policy/rate-limit-window.js';
import { AdmissionLog } from './admission-log.js';
import type { Event } from './traffic.js';

/** A limiter whose clock the test turns. */
export interface LimiterUnderTest {
  readonly limiter: RateLimiter;
  readonly setClock: (now: number) => void;
}

let subjects = 0;

/**
 * Sends the traffic to a subject of its own and has every result judged.
 *
 * `scale` stretches the times, so that they fall between milliseconds; `disturb` is called before each event.
 *
 * @throws Error telling the first result that breaks a promise.
 */
export async function judge(
  { limiter, setClock }: LimiterUnderTest,
  events: readonly Event[],
  { scale = 1, disturb }: { scale?: number; disturb?: () => Promise<void> } = {},
): Promise<void> {
  const id = `key:judged-${++subjects}`;
  const log = new AdmissionLog();
  // True time and the clock's; the clock only ever falls behind.
  let time = 1_700_000_000_000;
  let skew = 0;
  let last: RateLimitResult | undefined;

  const fail = (flaw: string | undefined, event: Event): void => {
    if (flaw !== undefined) throw new Error(`${flaw}, at ${JSON.stringify({ event, time, skew })}`);
  };
  const pass = (milliseconds: number): void => {
    // Clocks tell microseconds.
    time = Math.round((time + milliseconds) * 1000) / 1000;
    setClock(time - skew);
  };

  for (const event of events) {
    await disturb?.();
    pass(event.after * scale);
    skew += event.jumpBack;
    setClock(time - skew);
    const { limits } = event;
    const subject = { id, limits, bannable: false };
    if (event.kind === 'burst') {
      const results = await Promise.all(
        Array.from({ length: event.requests }, () => limiter.charge(subject)),
      );
      for (const result of results) {
        if (result.admitted) fail(log.admit(time, limits), event);
        else if (skew === 0) fail(log.refuse(time, limits), event);
      }
      const firstRefusal = results.findIndex(({ admitted }) => !admitted);
      if (firstRefusal >= 0 && results.slice(firstRefusal).some(({ admitted }) => admitted)) {
        fail('admitted after a refusal at the same moment', event);
      }
      last = results.at(-1);
      if (last && skew === 0) fail(log.check(time, last), event);
    } else if (event.kind === 'retry') {
      const refused = await limiter.peek(subject);
      if (refused.admitted) continue;
      if (refused.retryAfterMs === 0) fail('refused without a wait', event);
      pass(refused.retryAfterMs);
      last = await limiter.charge(subject);
      if (!last.admitted)
        fail(`refused after the ${refused.retryAfterMs} ms that it was told to wait`, event);
      fail(log.admit(time, limits), event);
    } else {
      const before = await limiter.peek(subject);
      const minute = event.kind === 'minuteReset';
      const reset = minute ? before.minute.resetMs : before.day.resetMs;
      if (reset === 0) continue;
      if (skew === 0 && reset > (minute ? MINUTE.lengthMs : DAY.lengthMs))
        fail(`a reset in ${reset} ms`, event);
      pass(reset);
      last = await limiter.peek(subject);
      const [now, then] = minute
        ? [last.minute.remaining, before.minute.remaining]
        : [last.day.remaining, before.day.remaining];
      if (now <= then) fail(`${now} remaining at the reset, ${then} before`, event);
    }
  }
}
