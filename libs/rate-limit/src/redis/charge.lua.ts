import { type BanPolicy, REFUSAL_STEP_MS } from '../ban-policy.js';
import { DAY, MINUTE } from '../rate-limit-window.js';

/**
 * What the value of a subject's key holds, one after another, little-endian:
 *
 *   state      format, newest moment, end and number of bans;
 *              minute: head, size, capacity of its ring, oldest moment;
 *              day: head, size, capacity of its ring, sum, oldest batch, youngest batch
 *   refusals   head, size, capacity of their ring, sum, oldest batch, youngest batch
 *   minute     a ring of moments, 2 bytes each: every admission of the last 60 s
 *   day        a ring of batches, 4 bytes of moment and 2 of count, without the youngest
 *   refusals   a ring of batches, likewise
 *
 * The youngest batch of a ring of batches stays in the header until the next one begins, so that most
 * decisions read the header, and write the header and one moment: their cost does not grow with the limits.
 * A moment is milliseconds modulo 2^16 or 2^32; those in a ring are never further apart than its window.
 * A ring that is full doubles its capacity, so that a subject takes no more room than it needs.
 */
export const LAYOUT = `
local STATE, REFUSALS = '<BddHI4I4I4dI4I4I4I4dI4dI4', '<I4I4I4I4dI4dI4'
local STATE_BYTES, HEADER_BYTES = 79, 119
local FORMAT, MOMENT_BYTES, BATCH_BYTES, MAX_BATCH = 1, 2, 6, 65535
`;

/** The functions of the script that do not depend on the ban policy. */
const RINGS = `
local call, pack, unpack = redis.call, struct.pack, struct.unpack
local floor, ceil, min, max, rep = math.floor, math.ceil, math.min, math.max, string.rep

-- Bytes of a ring, \`count\` entries from entry \`place\` on, which do not cross its end.
local function entries(key, base, width, place, count)
  return call('GETRANGE', key, base + place * width, base + (place + count) * width - 1)
end

local function moment(bytes, index, latest)
  return latest - (latest - unpack('<H', bytes, index * MOMENT_BYTES + 1)) % 65536
end

-- How many moments from the head on are \`gone\` or before, and the first that is not; the latest is not.
local function expired(key, base, capacity, head, size, latest, gone)
  local passed, chunk = 0, 8
  while true do
    local place = (head + passed) % capacity
    local count = min(chunk, size - passed, capacity - place)
    local bytes = entries(key, base, MOMENT_BYTES, place, count)
    if moment(bytes, count - 1, latest) > gone then
      local low, high = 0, count - 1
      while low < high do
        local middle = floor((low + high) / 2)
        if moment(bytes, middle, latest) > gone then high = middle else low = middle + 1 end
      end
      return passed + low, moment(bytes, low, latest)
    end
    passed, chunk = passed + count, chunk * 4
  end
end

-- Calls \`visit\` with every batch from the head on, oldest first, until it returns true.
local function eachBatch(key, base, capacity, head, size, latest, visit)
  local seen, chunk = 0, 4
  while seen < size do
    local place = (head + seen) % capacity
    local count = min(chunk, size - seen, capacity - place)
    local bytes = entries(key, base, BATCH_BYTES, place, count)
    for i = 0, count - 1 do
      local at, units = unpack('<I4H', bytes, i * BATCH_BYTES + 1)
      if visit(latest - (latest - at) % 4294967296, units) then return end
    end
    seen, chunk = seen + count, chunk * 4
  end
end

-- Lets go of the batches that are \`gone\`; head, size, sum and oldest batch after that.
local function expireBatches(key, base, capacity, head, size, sum, latest, gone)
  local passed, freed, oldest, oldestUnits = 0, 0, 0, 0
  eachBatch(key, base, capacity, head, size, latest, function(at, units)
    if at > gone then
      oldest, oldestUnits = at, units
      return true
    end
    passed, freed = passed + 1, freed + units
  end)
  return (head + passed) % capacity, size - passed, sum - freed, oldest, oldestUnits
end

-- The bytes of a ring from its head on, in a ring of another capacity.
local function resized(value, base, width, capacity, head, size, target)
  local first = min(size, capacity - head)
  local bytes = string.sub(value, base + head * width + 1, base + (head + first) * width)
    .. string.sub(value, base + 1, base + (size - first) * width)
  return bytes .. rep('\\0', target * width - #bytes)
end

local function capacityFor(size, capacity)
  while capacity < size do capacity = max(4, capacity * 2) end
  return capacity
end
`;

/**
 * Decides about the requests of several subjects at once, in one go each, as `SubjectRecord` does.
 *
 * KEYS     one for each subject; on a cluster all of one slot
 * ARGV[1]  Unix time in milliseconds, for tests; the server's own when empty
 * ARGV[2]  for each key 27 digits: limit of the minute (9), of the day (9), how many requests (4), how many
 *          of them may be admitted at most (4), whether the subject can be banned (1)
 *
 * Returns the time as a double, then for each key what `readStanding` reads.
 */
export function chargeScript(policy: BanPolicy | undefined): string {
  return `${LAYOUT}${RINGS}
local MINUTE, DAY, DAY_STEP = ${MINUTE.lengthMs}, ${DAY.lengthMs}, ${DAY.stepMs}
local BAN_REFUSALS, BAN_WITHIN, BAN_STEP = ${policy?.refusals ?? 0}, ${policy?.withinMs ?? 0}, ${REFUSAL_STEP_MS}
local BAN_FIRST, BAN_FACTOR = ${policy?.firstMs ?? 0}, ${policy?.factor ?? 1}
local BAN_REPEAT, BAN_LONGEST = ${policy?.repeatMs ?? 0}, ${policy?.longestMs ?? 0}
local BANS = ${policy === undefined ? 'false' : 'true'}

local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end

local function charge(key, perMinute, perDay, count, most, bannable)
  local header = call('GETRANGE', key, 0, HEADER_BYTES - 1)
  local format, newest, banUntil, bans = FORMAT, 0, 0, 0
  local mHead, mSize, mCapacity, mOldest = 0, 0, 0, 0
  local dHead, dSize, dCapacity, dSum, dOldest, dOldestUnits, dYoungest, dYoungestUnits = 0, 0, 0, 0, 0, 0, 0, 0
  local rHead, rSize, rCapacity, rSum, rOldest, rOldestUnits, rYoungest, rYoungestUnits = 0, 0, 0, 0, 0, 0, 0, 0
  if header ~= '' then
    format, newest, banUntil, bans, mHead, mSize, mCapacity, mOldest,
      dHead, dSize, dCapacity, dSum, dOldest, dOldestUnits, dYoungest, dYoungestUnits = unpack(STATE, header)
    rHead, rSize, rCapacity, rSum, rOldest, rOldestUnits, rYoungest, rYoungestUnits =
      unpack(REFUSALS, header, STATE_BYTES + 1)
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

  local banned = banUntil > at
  local admitted = banned and 0 or max(0, min(most, perMinute - mSize, perDay - dSum))
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

  if refused > 0 and BANS and bannable and not banned then
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
    newest, refusalsChanged = at, true
  end

  local written = admitted > 0 or refusalsChanged
  if mNeed > mCapacity or dNeed > dCapacity or rNeed > rCapacity then
    local value = call('GET', key) or ''
    local m, d, r = capacityFor(mNeed, mCapacity), capacityFor(dNeed, dCapacity), capacityFor(rNeed, rCapacity)
    call('SET', key, rep('\\0', HEADER_BYTES)
      .. resized(value, mBase, MOMENT_BYTES, mCapacity, mHead, mSize, m)
      .. resized(value, dBase, BATCH_BYTES, dCapacity, dHead, dSize, d)
      .. resized(value, rBase, BATCH_BYTES, rCapacity, rHead, rSize, r))
    mHead, dHead, rHead, mCapacity, dCapacity, rCapacity = 0, 0, 0, m, d, r
    dBase = mBase + mCapacity * MOMENT_BYTES
    rBase = dBase + dCapacity * BATCH_BYTES
    refusalsChanged = true
  end
  if written then
    local state = pack(STATE, format, newest, banUntil, bans, mHead, mNeed, mCapacity, mOldest,
      dHead, dNeed, dCapacity, dSum, dOldest, dOldestUnits, dYoungest, dYoungestUnits)
    if refusalsChanged then
      state = state .. pack(REFUSALS, rHead, rNeed, rCapacity, rSum, rOldest, rOldestUnits, rYoungest, rYoungestUnits)
    end
    call('SETRANGE', key, 0, state)
  end
  if admitted > 0 then
    local place, bytes = (mHead + mSize) % mCapacity, pack('<H', dated % 65536)
    local first = min(admitted, mCapacity - place)
    call('SETRANGE', key, mBase + place * MOMENT_BYTES, rep(bytes, first))
    if first < admitted then call('SETRANGE', key, mBase, rep(bytes, admitted - first)) end
  end
  if dClosed then call('SETRANGE', key, dBase + (dHead + dSize) % dCapacity * BATCH_BYTES, dClosed) end
  if rClosed then call('SETRANGE', key, rBase + (rHead + rSize) % rCapacity * BATCH_BYTES, rClosed) end
  if written then
    local kept = dated + DAY - now
    if bans > 0 then kept = max(kept, banUntil + BAN_REPEAT - now) end
    call('PEXPIRE', key, ceil(kept))
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
  return pack('<I4I4I4I4I4I4I4HB', admitted, plain, mNeed, dSum, ceil(mReset), ceil(dReset),
    banUntil > at and ceil(banUntil - now) or 0, bans, banStarted and 1 or 0)
end

local standings = { pack('<d', now) }
for i = 1, #KEYS do
  local text = string.sub(ARGV[2], i * 27 - 26, i * 27)
  standings[i + 1] = charge(KEYS[i], tonumber(string.sub(text, 1, 9)), tonumber(string.sub(text, 10, 18)),
    tonumber(string.sub(text, 19, 22)), tonumber(string.sub(text, 23, 26)), string.sub(text, 27) == '1')
end
return table.concat(standings)
`;
}

/** Ends the ban of KEYS[1], and forgets what led to it. Returns 1 if there was one; ARGV[1] as for a charge. */
export const LIFT_BAN_SCRIPT = `${LAYOUT}
local header = redis.call('GETRANGE', KEYS[1], 0, HEADER_BYTES - 1)
if header == '' then return 0 end
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
local state = { struct.unpack(STATE, header) }
local refusals = { struct.unpack(REFUSALS, header, STATE_BYTES + 1) }
local banUntil = state[3]
state[3], state[4] = 0, 0
refusals[2], refusals[4], refusals[8] = 0, 0, 0
redis.call('SETRANGE', KEYS[1], 0, struct.pack(STATE, unpack(state, 1, 16))
  .. struct.pack(REFUSALS, unpack(refusals, 1, 8)))
return banUntil > now and 1 or 0
`;
