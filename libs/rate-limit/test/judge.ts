import { DAY, MINUTE, type RateLimiter } from '../src/index.js';
import { AdmissionLog } from './admission-log.js';
import type { Event } from './traffic.js';

/** What is judged: a limiter whose clock the test sets. */
export interface LimiterUnderTest {
  readonly limiter: RateLimiter;
  readonly setClock: (now: number) => void;
  /** Stretches the times of events, so that they fall between milliseconds. */
  readonly scale?: number;
}

let subjects = 0;

/**
 * Sends the traffic to a subject of its own and has every result judged.
 *
 * @throws Error telling the first result that breaks a promise.
 */
export async function judge(
  { limiter, setClock, scale = 1 }: LimiterUnderTest,
  events: readonly Event[],
): Promise<void> {
  const id = `key:judged-${++subjects}`;
  const log = new AdmissionLog();
  let time = 1_700_000_000_000;

  const fail = (problem: string | undefined, event: Event): void => {
    if (problem !== undefined) throw new Error(`${problem}, at ${JSON.stringify({ event, time })}`);
  };
  const pass = (milliseconds: number): void => {
    // Clocks tell microseconds.
    time = Math.round((time + milliseconds) * 1000) / 1000;
    setClock(time);
  };

  for (const event of events) {
    pass(event.after * scale);
    const { limits } = event;
    const subject = { id, limits, bannable: false };
    if (event.kind === 'burst') {
      const results = await Promise.all(
        Array.from({ length: event.requests }, () => limiter.consume(subject)),
      );
      for (const { admitted } of results) {
        if (admitted) fail(log.admit(time, limits), event);
        else fail(log.refuse(time, limits), event);
      }
      const firstRefusal = results.findIndex(({ admitted }) => !admitted);
      if (firstRefusal >= 0 && results.slice(firstRefusal).some(({ admitted }) => admitted)) {
        fail('admitted after a refusal at the same moment', event);
      }
      const last = results.at(-1);
      if (last) fail(log.check(time, last), event);
      continue;
    }
    const before = await limiter.inspect(subject);
    if (event.kind === 'retry') {
      if (before.admitted) continue;
      if (before.retryAfterMs === 0) fail('refused without a wait', event);
      pass(before.retryAfterMs);
      const { admitted } = await limiter.consume(subject);
      if (!admitted) fail(`refused after the ${before.retryAfterMs} ms that it was told to wait`, event);
      fail(log.admit(time, limits), event);
    } else {
      const [name, { lengthMs }] =
        event.kind === 'minuteReset' ? (['minute', MINUTE] as const) : (['day', DAY] as const);
      const { resetMs, remaining } = before[name];
      if (resetMs === 0) continue;
      if (resetMs > lengthMs) fail(`a reset in ${resetMs} ms`, event);
      pass(resetMs);
      const after = (await limiter.inspect(subject))[name].remaining;
      if (after <= remaining) fail(`${after} remaining at the reset, ${remaining} before`, event);
    }
  }
}
