import { type BanPolicy, REFUSAL_STEP_MS } from '../../policy/ban-policy.js';
import { DAY, MINUTE } from '../../policy/rate-limit-window.js';
import { MARK_MODULUS } from '../../in-process/redis-mirror.js';
import { SMALL_KEPT_MS, SMALL_SHARE } from '../../policy/rate-limit-subject.js';
import { LAYOUT } from './layout.lua.js';
import { RINGS } from './rings.lua.js';

/**
 * Decides about the requests of several subjects at once, in one go each, as `SubjectRecord` does.
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
  return `${LAYOUT}${RINGS}
local MINUTE, DAY, DAY_STEP = ${MINUTE.lengthMs}, ${DAY.lengthMs}, ${DAY.stepMs}
local BAN_REFUSALS, BAN_WITHIN, BAN_STEP = ${policy?.refusals ?? 0}, ${policy?.withinMs ?? 0}, ${REFUSAL_STEP_MS}
local BAN_FIRST, BAN_FACTOR = ${policy?.firstMs ?? 0}, ${policy?.factor ?? 1}
local BAN_REPEAT, BAN_LONGEST = ${policy?.repeatMs ?? 0}, ${policy?.longestMs ?? 0}
local A_DAY = '${DAY.lengthMs}'
local SMALL_KEPT, SMALL_PARTS = ${SMALL_KEPT_MS}, ${1 / SMALL_SHARE}
local BANS = ${policy === undefined ? 'false' : 'true'}

if ARGV[2] == '' then
  local key = KEYS[1]
  for _, command in ipairs({ { 'SET', key, '' }, { 'SETRANGE', key, '0', 'probe' }, { 'GETRANGE', key, '0', '0' },
    { 'GET', key }, { 'TIME' }, { 'PEXPIRE', key, '1000' } }) do
    local result = redis.pcall(unpackTable(command))
    if type(result) == 'table' and result.err then return redis.error_reply(result.err .. ' (' .. command[1] .. ')') end
  end
  return 1
end

local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end

local function charge(key, perMinute, perDay, count, kind, life, known, apartMinute, apartDay)
  local header = call('GETRANGE', key, '0', LAST_OF_HEADER)
  local lived, newest, banUntil, bans = 0, 0, 0, 0
  local mHead, mSize, mCapacity, mOldest = 0, 0, 0, 0
  local dHead, dSize, dCapacity, dSum, dOldest, dOldestUnits, dYoungest, dYoungestUnits = 0, 0, 0, 0, 0, 0, 0, 0
  local rHead, rSize, rCapacity, rSum, rOldest, rOldestUnits, rYoungest, rYoungestUnits = 0, 0, 0, 0, 0, 0, 0, 0
  if header ~= '' then
    lived, newest, banUntil, bans, mHead, mSize, mCapacity, mOldest,
      dHead, dSize, dCapacity, dSum, dOldest, dOldestUnits, dYoungest, dYoungestUnits = unpack(STATE, header)
  end
  local mBase = HEADER_BYTES
  local dBase = mBase + mCapacity * MOMENT_BYTES
  local rBase = dBase + dCapacity * BATCH_BYTES

  -- Time never goes back: when the clock does, it stands still until the clock has caught up.
  local at = max(now, newest)
  local dated = ceil(at)

  if mSize > 0 and mOldest <= at - MINUTE then
    if dYoungest <= at - MINUTE then
      mSize = 0
    else
      local passed
      passed, mOldest = expired(key, mBase, mCapacity, mHead, mSize, dYoungest, at - MINUTE)
      mHead, mSize = (mHead + passed) % mCapacity, mSize - passed
    end
  end
  if dYoungestUnits > 0 and dYoungest <= at - DAY then
    dSize, dSum, dYoungestUnits = 0, 0, 0
  elseif dSize > 0 and dOldest <= at - DAY then
    dHead, dSize, dSum, dOldest, dOldestUnits =
      expireBatches(key, dBase, dCapacity, dHead, dSize, dSum, dYoungest, at - DAY)
  end
  local small = kind == '2' and dSum * SMALL_PARTS <= perDay
  if small and dSum > 0 and dYoungest <= at - SMALL_KEPT then
    mSize, dSize, dSum, dYoungestUnits = 0, 0, 0, 0
  end

  if life > 0 and (life ~= lived or (floor(newest) - known) % ${MARK_MODULUS} > ${MARK_MODULUS / 2}) then
    return pack('<I4I4I4I4I4I4I4HBB', 0, 0, mSize, dSum, 0, 0, 0, 0, lived, 2)
  end

  local banned = banUntil > at
  local admitted = banned and 0 or max(0, min(count, perMinute - apartMinute - mSize, perDay - apartDay - dSum))
  local refused = count - admitted
  local plain = banned and 0 or refused
  local banStarted, refusalsChanged = false, false
  local mNeed, dNeed, rNeed, dClosed, rClosed = mSize + admitted, dSize, rSize, nil, nil

  if admitted > 0 then
    if mSize == 0 then mOldest = dated end
    if dYoungestUnits > 0 and (floor(dYoungest / DAY_STEP) ~= floor(dated / DAY_STEP)
      or dYoungestUnits + admitted > MAX_BATCH) then
      dClosed = pack('<I4H', dYoungest % 4294967296, dYoungestUnits)
      if dSize == 0 then dOldest, dOldestUnits = dYoungest, dYoungestUnits end
      dNeed, dYoungestUnits = dSize + 1, 0
    end
    dYoungest, dYoungestUnits, dSum = dated, dYoungestUnits + admitted, dSum + admitted
    newest = at
  end

  if refused > 0 and BANS and kind == '1' and not banned then
    rHead, rSize, rCapacity, rSum, rOldest, rOldestUnits, rYoungest, rYoungestUnits = readRefusals(header)
    refusalsChanged = true
    if rYoungestUnits > 0 and rYoungest <= at - BAN_WITHIN then
      rSize, rSum, rYoungestUnits = 0, 0, 0
    elseif rSize > 0 and rOldest <= at - BAN_WITHIN then
      rHead, rSize, rSum, rOldest, rOldestUnits =
        expireBatches(key, rBase, rCapacity, rHead, rSize, rSum, rYoungest, at - BAN_WITHIN)
    end
    rNeed = rSize
    local allowed = max(BAN_REFUSALS, perMinute)
    if rSum + refused >= allowed then
      plain = max(0, allowed - 1 - rSum)
      bans = (bans > 0 and at <= banUntil + BAN_REPEAT) and min(bans + 1, 65535) or 1
      banUntil = dated + min(BAN_FIRST * BAN_FACTOR ^ (bans - 1), BAN_LONGEST)
      banStarted, rSize, rNeed, rSum, rYoungestUnits = true, 0, 0, 0, 0
    else
      if rYoungestUnits > 0 and (floor(rYoungest / BAN_STEP) ~= floor(dated / BAN_STEP)
        or rYoungestUnits + refused > MAX_BATCH) then
        rClosed = pack('<I4H', rYoungest % 4294967296, rYoungestUnits)
        if rSize == 0 then rOldest, rOldestUnits = rYoungest, rYoungestUnits end
        rNeed, rYoungestUnits = rSize + 1, 0
      end
      rYoungest, rYoungestUnits, rSum = dated, rYoungestUnits + refused, rSum + refused
    end
    newest = at
  end

  local written = admitted > 0 or refusalsChanged
  if mNeed > mCapacity or dNeed > dCapacity or rNeed > rCapacity then
    local value = call('GET', key) or ''
    if not refusalsChanged then
      rHead, rSize, rCapacity, rSum, rOldest, rOldestUnits, rYoungest, rYoungestUnits = readRefusals(header)
      rNeed, refusalsChanged = rSize, true
    end
    local m, d, r = capacityFor(mNeed, mCapacity), capacityFor(dNeed, dCapacity), capacityFor(rNeed, rCapacity)
    call('SET', key, rep('\\0', HEADER_BYTES)
      .. resized(value, mBase, MOMENT_BYTES, mCapacity, mHead, mSize, m)
      .. resized(value, dBase, BATCH_BYTES, dCapacity, dHead, dSize, d)
      .. resized(value, rBase, BATCH_BYTES, rCapacity, rHead, rSize, r))
    mHead, dHead, rHead, mCapacity, dCapacity, rCapacity = 0, 0, 0, m, d, r
    dBase = mBase + mCapacity * MOMENT_BYTES
    rBase = dBase + dCapacity * BATCH_BYTES
  end
  if written then
    -- Two that are made one after the other are told apart, but for one in 254.
    if lived == 0 then lived = 2 + call('TIME')[2] % 254 end
    local state = pack(STATE, lived, newest, banUntil, bans, mHead, mNeed, mCapacity, mOldest,
      dHead, dNeed, dCapacity, dSum, dOldest, dOldestUnits, dYoungest, dYoungestUnits)
    if refusalsChanged then
      state = state .. pack(REFUSALS, rHead, rNeed, rCapacity, rSum, rOldest, rOldestUnits, rYoungest, rYoungestUnits)
    end
    call('SETRANGE', key, '0', state)
  end
  if admitted > 0 then
    local place, bytes = (mHead + mSize) % mCapacity, pack('<H', dated % 65536)
    local first = min(admitted, mCapacity - place)
    write(key, mBase + place * MOMENT_BYTES, rep(bytes, first))
    if first < admitted then write(key, mBase, rep(bytes, admitted - first)) end
  end
  if dClosed then write(key, dBase + (dHead + dSize) % dCapacity * BATCH_BYTES, dClosed) end
  if rClosed then write(key, rBase + (rHead + rSize) % rCapacity * BATCH_BYTES, rClosed) end
  if written then
    local kept = dated + DAY - now
    if kind == '2' and dSum * SMALL_PARTS <= perDay then kept = dated + SMALL_KEPT - now end
    if bans > 0 then kept = max(kept, banUntil + BAN_REPEAT - now) end
    -- A key lives through the whole of its last millisecond: what is left of this one is not lost.
    call('PEXPIRE', key, kept < DAY + 1 and A_DAY or whole('%d', ceil(kept)))
  end

  local mReset, dReset = 0, 0
  if mNeed > perMinute and perMinute > 0 then
    local bytes = entries(key, mBase, MOMENT_BYTES, (mHead + mNeed - perMinute) % mCapacity, 1)
    mReset = moment(bytes, 0, dYoungest) + MINUTE - now
  elseif mNeed > 0 then
    mReset = mOldest + MINUTE - now
  end
  if dSum > 0 then
    local excess, last = dSum - perDay + 1, dYoungest
    if dNeed > 0 and excess <= dOldestUnits then
      last = dOldest
    elseif dNeed > 0 then
      eachBatch(key, dBase, dCapacity, dHead, dNeed, dYoungest, function(leaves, units)
        excess = excess - units
        if excess <= 0 then last = leaves end
        return excess <= 0
      end)
    end
    dReset = last + DAY - now
  end
  return pack('<I4I4I4I4I4I4I4HBB', admitted, plain, mNeed, dSum, ceil(mReset), ceil(dReset),
    banUntil > at and ceil(banUntil - now) or 0, bans, lived, banStarted and 1 or 0)
end

-- Most keys have the limits, and the number of requests, of another one of the same call.
local spelled = {}
local function request(text)
  local value = { tonumber(sub(text, 1, 9)), tonumber(sub(text, 10, 18)), tonumber(sub(text, 19, 22)), sub(text, 23) }
  spelled[text] = value
  return value
end

local snapshots, requests, apart, nextApart = { pack('<d', now) }, ARGV[2], ARGV[3], 1
for i = 1, #KEYS do
  local from = i * 31 - 31
  local text = sub(requests, from + 1, from + 23)
  local r = spelled[text] or request(text)
  local l1, l2, k1, k2, k3, k4, k5, more = byte(requests, from + 24, from + 31)
  local apartMinute, apartDay = 0, 0
  if more == 1 then
    apartMinute, apartDay = tonumber(sub(apart, nextApart, nextApart + 8)), tonumber(sub(apart, nextApart + 9, nextApart + 17))
    nextApart = nextApart + 18
  end
  snapshots[i + 1] = charge(KEYS[i], r[1], r[2], r[3], r[4], l1 * 64 + l2,
    (((k1 * 64 + k2) * 64 + k3) * 64 + k4) * 64 + k5, apartMinute, apartDay)
end
return table.concat(snapshots)
`;
}
