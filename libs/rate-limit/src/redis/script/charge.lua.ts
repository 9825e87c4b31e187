import { MARK_MODULUS } from '../../in-process/redis-mirror.js';
import { type BanPolicy, REFUSAL_STEP_MS } from '../../policy/ban-policy.js';
import { SMALL_KEPT_MS, SMALL_SHARE } from '../../policy/rate-limit-subject.js';
import { DAY, MINUTE } from '../../policy/rate-limit-window.js';
import { BAN } from './ban.lua.js';
import { BATCH_RING_FUNCTIONS, batchRing, DAY_RESET } from './batch-ring.lua.js';
import { type LuaConstants, withConstants } from './constants.js';
import { LAYOUT } from './layout.js';
import { LIBRARY } from './library.lua.js';
import { MINUTE_RING } from './minute-ring.lua.js';
import { VALUE } from './value.lua.js';

const DAY_RING = batchRing('day');

/**
 * Decides about the requests of several subjects at once, in one go each, by the steps of `SubjectRecord`.
 *
 * KEYS     one for each subject; on a cluster all of one slot
 * ARGV[1]  Unix time in milliseconds, for tests; the server's own when empty
 * ARGV[2]  for each key 31 bytes: limit of the minute (9 digits), of the day (9), how many requests (4), whether the
 *          subject can be banned (1) or is one of many (2); and in characters of 6 bits what the caller knows of it:
 *          which value it saw last (2 characters; 0 for none), the newest moment of that, modulo 10^9 (5), and
 *          whether it has something in ARGV[3] (1)
 * ARGV[3]  for each of those keys 18 digits: what was admitted in the minute (9) and in the day (9) and is not in
 *          the value
 *
 * With an empty ARGV[2] it shows that it could run, and changes nothing: every command that it may need is called on
 * KEYS[1].
 *
 * A value that is another one than the caller saw, or older, has lost something: nothing is decided then, so that
 * the caller can say what it knows beside it.
 *
 * Returns the time as a double, then for each key what `readSnapshot` reads.
 */
export function chargeScript(policy: BanPolicy | undefined): string {
  const constants: LuaConstants = {
    ...LAYOUT,
    MINUTE_MS: MINUTE.lengthMs,
    DAY_MS: DAY.lengthMs,
    DAY_STEP_MS: DAY.stepMs,
    MARK_MODULUS,
    SMALL_KEPT_MS,
    SMALL_PARTS: 1 / SMALL_SHARE,
    BANS: String(policy !== undefined),
    BAN_REFUSALS: policy?.refusals ?? 0,
    BAN_WITHIN_MS: policy?.withinMs ?? 0,
    REFUSAL_STEP_MS,
    BAN_FIRST_MS: policy?.firstMs ?? 0,
    BAN_FACTOR: policy?.factor ?? 1,
    BAN_REPEAT_MS: policy?.repeatMs ?? 0,
    BAN_LONGEST_MS: policy?.longestMs ?? 0,
  };
  return withConstants([PROBE, ...FUNCTIONS, CHARGE, REQUESTS].join(''), constants);
}

const FUNCTIONS = [LIBRARY, MINUTE_RING.functions, BATCH_RING_FUNCTIONS, VALUE.functions];

const PROBE = `
if ARGV[2] == '' then
  local key = KEYS[1]
  for _, command in ipairs({ { 'SET', key, '' }, { 'SETRANGE', key, '0', 'probe' }, { 'GETRANGE', key, '0', '0' },
    { 'GET', key }, { 'TIME' }, { 'PEXPIRE', key, '1000' } }) do
    local result = redis.pcall(unpack(command))
    if type(result) == 'table' and result.err then return redis.error_reply(result.err .. ' (' .. command[1] .. ')') end
  end
  return 1
end
`;

/** The decision on one subject, step by step as in `SubjectRecord.charge`. */
const CHARGE = `
local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end

local function charge(key, perMinute, perDay, count, kind, generation, known, unsharedMinute, unsharedDay)
  ${VALUE.load}
  -- Time never goes back: when the clock does, it stands still until the clock has caught up.
  local at = max(now, newest)
  local dated = ceil(at)

  -- expireWindows
  ${MINUTE_RING.expire}
  ${DAY_RING.expire('at - DAY_MS')}
  if kind == '2' and daySum > 0 and daySum * SMALL_PARTS <= perDay and dayYoungest <= at - SMALL_KEPT_MS then
    minuteSize, daySize, daySum, dayYoungestUnits = 0, 0, 0, 0
  end

  -- A value that is not the one that the caller saw, or is older, has lost something.
  if generation > 0 and (generation ~= subjectGeneration
    or (floor(newest) - known) % MARK_MODULUS > MARK_MODULUS / 2) then
    return pack('<I4I4I4I4I4I4I4HBB', 0, 0, minuteSize, daySum, 0, 0, 0, 0, subjectGeneration, 2)
  end

  local banned = banUntil > at
  local room = min(perMinute - unsharedMinute - minuteSize, perDay - unsharedDay - daySum)
  local admitted = banned and 0 or max(0, min(count, room))
  local refused = count - admitted
  local plainRefusals, banStarted = banned and 0 or refused, false
  local minuteNeed, dayNeed, refusalsNeed, dayClosed, refusalsClosed = minuteSize, daySize, 0, nil, nil

  -- admit
  if admitted > 0 then
    ${MINUTE_RING.add}
    ${DAY_RING.add('admitted', 'DAY_STEP_MS')}
    newest = at
  end

  -- countRefusals
  if refused > 0 and BANS and kind == '1' and not banned then
    ${VALUE.loadRefusals}
    ${BAN.countRefusals}
  end

  -- save
  if admitted > 0 or refusalsLoaded then
    ${VALUE.grow}
    ${VALUE.saveHeader}
    if admitted > 0 then
      ${MINUTE_RING.write}
    end
    ${DAY_RING.writeClosed}
    ${BAN.writeClosed}
    ${VALUE.keep}
  end

  -- snapshot
  ${MINUTE_RING.reset}
  ${DAY_RESET}
  return pack('<I4I4I4I4I4I4I4HBB', admitted, plainRefusals, minuteNeed, daySum, ceil(minuteReset), ceil(dayReset),
    banUntil > at and ceil(banUntil - now) or 0, bans, subjectGeneration, banStarted and 1 or 0)
end
`;

const REQUESTS = `
-- Most keys have the limits, and the number of requests, of another one of the same call.
local spelled = {}
local function request(text)
  local value = { tonumber(sub(text, 1, 9)), tonumber(sub(text, 10, 18)), tonumber(sub(text, 19, 22)), sub(text, 23) }
  spelled[text] = value
  return value
end

local snapshots, requests, unshared, nextUnshared = { pack('<d', now) }, ARGV[2], ARGV[3], 1
for i = 1, #KEYS do
  local from = i * 31 - 31
  local text = sub(requests, from + 1, from + 23)
  local r = spelled[text] or request(text)
  local g1, g2, k1, k2, k3, k4, k5, more = byte(requests, from + 24, from + 31)
  local unsharedMinute, unsharedDay = 0, 0
  if more == 1 then
    unsharedMinute = tonumber(sub(unshared, nextUnshared, nextUnshared + 8))
    unsharedDay = tonumber(sub(unshared, nextUnshared + 9, nextUnshared + 17))
    nextUnshared = nextUnshared + 18
  end
  snapshots[i + 1] = charge(KEYS[i], r[1], r[2], r[3], r[4], g1 * 64 + g2,
    (((k1 * 64 + k2) * 64 + k3) * 64 + k4) * 64 + k5, unsharedMinute, unsharedDay)
end
return table.concat(snapshots)
`;
