import { createHash } from 'node:crypto';

const MINUTE = 60_000;
const DAY = 86_400_000;

// Counts a request in both windows or in neither: { admitted, used and ms to the end of the minute, of the day }.
const SCRIPT = `
local used, left = {}, {}
local admitted = 1
for i = 1, 2 do
  used[i] = tonumber(redis.call('get', KEYS[i]) or '0')
  left[i] = redis.call('pttl', KEYS[i])
  if left[i] < 0 then left[i] = tonumber(ARGV[i + 2]) end
  if used[i] >= tonumber(ARGV[i]) then admitted = 0 end
end
if admitted == 1 then
  for i = 1, 2 do
    used[i] = used[i] + 1
    if redis.call('incr', KEYS[i]) == 1 then redis.call('pexpire', KEYS[i], ARGV[i + 2]) end
  end
end
return { admitted, used[1], left[1], used[2], left[2] }
`;
const SHA = createHash('sha1').update(SCRIPT).digest('hex');

/** A minute and a day window in Redis, one call of one script for each request. */
export class Limiter {
  #redis;

  constructor(redis) {
    this.#redis = redis;
  }

  async start() {
    await this.#redis.script('LOAD', SCRIPT);
  }

  /** @param {import('../shared/key-cache.mjs').Caller} caller */
  async charge({ id, perMinute, perDay }) {
    const keys = [`plain:{${id}}:m`, `plain:{${id}}:d`];
    const [admitted, minute, minuteLeft, day, dayLeft] = await this.#redis.evalsha(
      SHA,
      2,
      ...keys,
      perMinute,
      perDay,
      MINUTE,
      DAY,
    );
    const byDay = perDay - day < perMinute - minute;
    return {
      admitted: admitted === 1,
      limit: byDay ? perDay : perMinute,
      remaining: byDay ? perDay - day : perMinute - minute,
      resetMs: byDay ? dayLeft : minuteLeft,
    };
  }
}
