import { createHash } from 'node:crypto';

const MINUTE = 60_000;
const DAY = 86_400_000;

// For every caller: how many of its requests fit into both windows; those are counted, the others are not.
// Answers five numbers for each: { admitted, used before and ms to the end of the minute, of the day }.
const SCRIPT = `
local out = {}
for c = 0, #KEYS / 2 - 1 do
  local used, left = {}, {}
  local fits = tonumber(ARGV[3 * c + 3])
  for i = 1, 2 do
    local key = KEYS[2 * c + i]
    used[i] = tonumber(redis.call('get', key) or '0')
    left[i] = redis.call('pttl', key)
    fits = math.min(fits, math.max(0, tonumber(ARGV[3 * c + i]) - used[i]))
  end
  for i = 1, 2 do
    local window = i == 1 and ${MINUTE} or ${DAY}
    if fits > 0 then
      local key = KEYS[2 * c + i]
      if redis.call('incrby', key, fits) == fits then redis.call('pexpire', key, window) end
    end
    if left[i] < 0 then left[i] = window end
  end
  local at = #out
  out[at + 1], out[at + 2], out[at + 3], out[at + 4], out[at + 5] = fits, used[1], left[1], used[2], left[2]
end
return out
`;
const SHA = createHash('sha1').update(SCRIPT).digest('hex');

/** A minute and a day window in Redis; the decisions of one turn of the event loop go out as one call. */
export class TurnLimiter {
  #redis;
  /** Caller to the callbacks of its requests of this turn. */
  #turn = new Map();
  #flush = () => this.#send();

  constructor(redis) {
    this.#redis = redis;
  }

  async start() {
    await this.#redis.script('LOAD', SCRIPT);
  }

  /**
   * @param {import('../shared/key-cache.mjs').Caller} caller
   * @param {(error: Error | null, admitted: boolean, limit: number, remaining: number, resetMs: number) => void} done
   */
  charge(caller, done) {
    if (this.#turn.size === 0) setImmediate(this.#flush);
    const waiting = this.#turn.get(caller);
    if (waiting === undefined) this.#turn.set(caller, [done]);
    else waiting.push(done);
  }

  #send() {
    const turn = this.#turn;
    this.#turn = new Map();
    const keys = [];
    const args = [];
    for (const [{ id, perMinute, perDay }, waiting] of turn) {
      keys.push(`tricks:{${id}}:m`, `tricks:{${id}}:d`);
      args.push(perMinute, perDay, waiting.length);
    }
    this.#redis.evalsha(SHA, keys.length, ...keys, ...args).then(
      (reply) => settle(turn, reply),
      (error) => {
        for (const waiting of turn.values()) for (const done of waiting) done(error);
      },
    );
  }
}

function settle(turn, reply) {
  let at = 0;
  for (const [{ perMinute, perDay }, waiting] of turn) {
    const [fits, minute, minuteLeft, day, dayLeft] = reply.slice(at, (at += 5));
    for (let i = 0; i < waiting.length; i++) {
      const admitted = i < fits;
      const before = Math.min(i + 1, fits);
      const ofMinute = perMinute - minute - before;
      const ofDay = perDay - day - before;
      if (ofDay < ofMinute) waiting[i](null, admitted, perDay, ofDay, dayLeft);
      else waiting[i](null, admitted, perMinute, ofMinute, minuteLeft);
    }
  }
}
