-- Decides how many requests each subject may make now: as many as both of its windows have room for, the minute and
-- the day. docs/rate-limits.md explains how a window is counted; src/local/subject-counters.ts takes the same steps
-- in the process, and a test compares the two number by number. All times are in microseconds.
--
-- KEYS[i]      the counters of a subject; on a cluster all of one slot
-- ARGV[1]      Unix time, for tests; empty for the time of this server
-- ARGV[2]      when a subject is banned: "refusals within first factor repeat longest"; empty for never
-- ARGV[2 + i]  what is asked about KEYS[i]: "perMinute perDay kind wanted allowed", and where the caller has admitted
--              requests by itself " incarnation unsynced minute day" behind it
--   kind         0 a subject that is never banned, 1 one that can be, 2 one of many (an address), 3 lifts a ban, 4 a probe,
--                which uses every command and is forgotten at once
--   wanted       requests to decide about; 0 only looks
--   allowed      how many of them the caller's own count has room for
--   incarnation  which value the caller saw last, as INCARNATION below
--   unsynced     how many of its latest requests are not counted there; in another value none of its requests are
--   minute...    what the caller has admitted in either window, the latest first: "age:requests,age:requests"
--
-- Returns the time as a double, then for each key what `readReply` in src/redis/charge-script.ts reads.

local call, pack, unpack = redis.call, struct.pack, struct.unpack
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
local sub, rep, match, gmatch, format = string.sub, string.rep, string.match, string.gmatch, string.format

local MINUTE, DAY, HOUR = 60000000, 86400000000, 3600000000

-- A value begins with what every decision needs: how far the key's time is ahead of the clock, its latest time, the
-- latest admission, the end of the ban; then for the minute and for the day: sum, oldest moment, units of the youngest
-- batch. That batch stands here alone, so that another request in the same step changes nothing else.
local STATE, STATE_BYTES = '<ddddI4dI4I4dI4', 64
-- Capacity, head and size of three rings, a byte each: minute, day and refusals.
local RINGS_BYTES = 9
-- Number of bans; refusals: sum, oldest moment, units of the youngest batch, latest moment.
local REFUSALS, REFUSALS_BYTES, REFUSALS_AT = '<HI4dI4d', 26, STATE_BYTES + RINGS_BYTES + 1
-- When the value was made: a caller that knows another time knows that a value was lost.
local INCARNATION, INCARNATION_BYTES, INCARNATION_AT = '<d', 8, REFUSALS_AT + REFUSALS_BYTES
-- The last byte of the front, as text: a number among the arguments of a command is spelled with 17 digits.
local FRONT_BYTES, FRONT_END = INCARNATION_AT + INCARNATION_BYTES - 1, '106'
-- Then the rings. A batch in them: the moment of its last request modulo 2^40, which is 12 days, and its units.
local BATCH, BATCH_BYTES, BATCH_MODULUS = '<I5I4', 9, 2 ^ 40

local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- A window, and where its ring is in the value.
local function window(length, steps)
  return { length = length, step = length / steps, most = steps, base = 0, capacity = 0, head = 0, size = 0 }
end
local minute, day, refusals = window(MINUTE, 200), window(DAY, 200), window(0, 30)

-- The subject that is decided about: what time it is for it; the name and the front of its value, whether that is there,
-- and whether its rings have been looked up.
local at, key, front, exists, hasRings

local function placeRings()
  minute.base = FRONT_BYTES
  day.base = FRONT_BYTES + minute.capacity * BATCH_BYTES
  refusals.base = day.base + day.capacity * BATCH_BYTES
end

local function loadRings()
  if hasRings then return end
  hasRings = true
  minute.capacity, minute.head, minute.size, day.capacity, day.head, day.size, refusals.capacity, refusals.head,
    refusals.size = string.byte(front, STATE_BYTES + 1, STATE_BYTES + RINGS_BYTES)
  placeRings()
end

-- Calls `visit` with the moment and the units of each batch in the ring, from the oldest on, until it returns true.
local function eachBatch(w, latest, visit)
  loadRings()
  local seen = 0
  while seen < w.size do
    local first = (w.head + seen) % w.capacity
    local count = min(4, w.size - seen, w.capacity - first)
    local from = w.base + first * BATCH_BYTES
    local bytes = call('GETRANGE', key, format('%d', from), format('%d', from + count * BATCH_BYTES - 1))
    for i = 0, count - 1 do
      local moment, units = unpack(BATCH, bytes, i * BATCH_BYTES + 1)
      if visit(latest - (latest - moment) % BATCH_MODULUS, units) then return end
    end
    seen = seen + count
  end
end

-- Writes the value anew with more room for the ring of a window, whose oldest batch is then the first.
local function grow(w)
  local value = exists and call('GET', key) or front
  local capacity = min(w.most, max(4, 2 * w.capacity))
  local head, stop = w.base + w.head * BATCH_BYTES, w.base + w.capacity * BATCH_BYTES
  call('SET', key, sub(value, 1, w.base) .. sub(value, head + 1, stop) .. sub(value, w.base + 1, head)
    .. rep('\0', (capacity - w.capacity) * BATCH_BYTES) .. sub(value, stop + 1), 'KEEPTTL')
  exists, w.head, w.capacity = true, 0, capacity
  placeRings()
end

-- Drops the batches whose last request is as old as the window is long.
-- Returns what is left: sum, moment of the oldest batch, units of the youngest.
local function expire(w, newest, sum, youngest)
  local horizon, gone, oldest = at - w.length, 0, newest
  loadRings()
  if newest <= horizon then
    w.size = 0
    return 0, 0, 0
  end
  eachBatch(w, newest, function(moment, units)
    if moment > horizon then
      oldest = moment
      return true
    end
    gone, sum = gone + 1, sum - units
  end)
  w.head, w.size = (w.head + gone) % w.capacity, w.size - gone
  return sum, oldest, youngest
end

-- Puts requests into the youngest batch, or closes that and begins another one if a step of the window has begun since.
-- Returns sum, moment of the oldest batch, units of the youngest.
local function add(w, moment, added, newest, sum, oldest, youngest)
  if youngest > 0 and floor(newest / w.step) ~= floor(moment / w.step) then
    loadRings()
    if w.size == w.capacity then grow(w) end
    local place = w.base + (w.head + w.size) % w.capacity * BATCH_BYTES
    call('SETRANGE', key, format('%d', place), pack(BATCH, newest % BATCH_MODULUS, youngest))
    w.size, youngest = w.size + 1, 0
  end
  -- Without another batch, the youngest is the oldest.
  if sum == youngest then oldest = moment end
  return sum + added, oldest, youngest + added
end

-- Puts in, each at its time, the latest `unsynced` requests of those that the caller has admitted: takes all batches out, and
-- adds them again in their order. Returns the latest moment, then as `add`.
local function insert(w, admitted, unsynced, newest, sum, oldest, youngest)
  local batches = { { newest, youngest } }
  if sum > youngest then
    eachBatch(w, newest, function(moment, units) batches[#batches + 1] = { moment, units } end)
  end
  for age, units in gmatch(admitted, '(%d+):(%d+)') do
    if age + 0 < w.length then batches[#batches + 1] = { at - age, min(units, unsynced) } end
    unsynced = max(0, unsynced - units)
  end
  table.sort(batches, function(one, other) return one[1] < other[1] end)
  loadRings()
  w.size, sum, youngest = 0, 0, 0
  for _, batch in ipairs(batches) do
    if batch[2] > 0 then
      sum, oldest, youngest = add(w, batch[1], batch[2], newest, sum, oldest, youngest)
      newest = batch[1]
    end
  end
  return newest, sum, oldest, youngest
end

-- Milliseconds until a window has room for one more; when it holds more than the limit, for a first one.
local function resetOf(w, limit, newest, sum, oldest)
  if sum == 0 then return 0 end
  local excess, leaves = sum - limit, oldest
  if excess > 0 then
    leaves = newest
    eachBatch(w, newest, function(moment, units)
      excess = excess - units
      if excess < 0 then leaves = moment end
      return excess < 0
    end)
  end
  return ceil((leaves + w.length - at) / 1000)
end

-- Most requests are asked about in the same words as another one of the call.
local requests = {}
local function parse(text)
  local perMinute, perDay, kind, wanted, allowed, sync = match(text, '^(%d+) (%d+) (%d) (%d+) (%d+)(.*)')
  local request = { perMinute = perMinute + 0, perDay = perDay + 0, kind = kind, wanted = wanted + 0, allowed = allowed + 0,
    sync = sync ~= '' and sync }
  requests[text] = request
  return request
end

-- Counts refusals towards a ban, and begins one with the refusal that makes them enough.
-- Returns how many came before that, the end of the ban, and the refusals as they are saved.
local policy
local function refuse(refused, perMinute, banUntil)
  if not policy then
    local count, within, first, factor, rest, longest = match(ARGV[2], '(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)')
    policy = { count = count + 0, first = first + 0, factor = factor + 0, rest = rest + 0, longest = longest + 0 }
    refusals.length, refusals.step = within + 0, within / refusals.most
  end
  local bans, sum, oldest, youngest, newest = unpack(REFUSALS, front, REFUSALS_AT)
  if sum > 0 and oldest <= at - refusals.length then
    sum, oldest, youngest = expire(refusals, newest, sum, youngest)
  end
  local enough, before = max(policy.count, perMinute), refused
  if sum + refused < enough then
    sum, oldest, youngest = add(refusals, at, refused, newest, sum, oldest, youngest)
  else
    before = max(0, enough - 1 - sum)
    bans = bans > 0 and at <= banUntil + policy.rest and min(bans + 1, 65535) or 1
    banUntil = at + min(policy.first * policy.factor ^ (bans - 1), policy.longest)
    loadRings()
    refusals.size, sum, youngest = 0, 0, 0
  end
  return before, banUntil, pack(REFUSALS, bans, sum, oldest, youngest, at)
end

local function charge(request)
  local perMinute, perDay, kind = request.perMinute, request.perDay, request.kind
  -- What another program has put here counts for nothing, and is replaced.
  front = redis.pcall('GETRANGE', key, '0', FRONT_END)
  if type(front) == 'table' and not match(front.err, '^WRONGTYPE') then error(front) end
  exists, hasRings = type(front) == 'string' and #front == FRONT_BYTES, false
  if not exists then front = rep('\0', FRONT_BYTES) end
  local existed, changed = exists, false
  local shift, latest, newest, banUntil, minuteSum, minuteOldest, minuteYoungest, daySum, dayOldest, dayYoungest =
    unpack(STATE, front)
  local newestBefore, wasSmall = newest, daySum * 1000 <= perDay

  -- The key's time never goes back: when the clock does, it goes on from where it was.
  at = now + shift
  if at < latest then
    at, shift, changed = latest, latest - now, true
  end

  if minuteSum > 0 and minuteOldest <= at - MINUTE then
    minuteSum, minuteOldest, minuteYoungest = expire(minute, newest, minuteSum, minuteYoungest)
    changed = true
  end
  if daySum > 0 and dayOldest <= at - DAY then
    daySum, dayOldest, dayYoungest = expire(day, newest, daySum, dayYoungest)
    changed = true
  end

  if request.sync then
    local incarnation, unsynced, ofMinute, ofDay = match(request.sync, '(%S+) (%S+) (%S+) (%S+)')
    unsynced = unpack(INCARNATION, front, INCARNATION_AT) == incarnation + 0 and unsynced + 0 or math.huge
    local _
    _, minuteSum, minuteOldest, minuteYoungest =
      insert(minute, ofMinute, unsynced, newest, minuteSum, minuteOldest, minuteYoungest)
    newest, daySum, dayOldest, dayYoungest = insert(day, ofDay, unsynced, newest, daySum, dayOldest, dayYoungest)
    changed = true
  end

  local banned = banUntil > at
  local admitted = banned and 0 or max(0, min(request.wanted, request.allowed, perMinute - minuteSum, perDay - daySum))
  if admitted > 0 then
    minuteSum, minuteOldest, minuteYoungest = add(minute, at, admitted, newest, minuteSum, minuteOldest, minuteYoungest)
    daySum, dayOldest, dayYoungest = add(day, at, admitted, newest, daySum, dayOldest, dayYoungest)
    newest, changed = at, true
  end

  local refused, saved = request.wanted - admitted, nil
  local plainRefusals, banStarted = banned and 0 or refused, false
  if refused > 0 and not banned and kind == '1' and ARGV[2] ~= '' then
    plainRefusals, banUntil, saved = refuse(refused, perMinute, banUntil)
    banStarted, changed = plainRefusals < refused, true
  end

  local banMs, bans = 0, 0
  if banUntil > at then
    banMs, bans = ceil((banUntil - at) / 1000), unpack('<H', saved or front, saved and 1 or REFUSALS_AT)
  end
  if kind == '3' and existed then
    loadRings()
    banUntil, refusals.size, saved, changed = 0, 0, rep('\0', REFUSALS_BYTES), true
  end

  if changed then
    local text = pack(STATE, shift, at, newest, banUntil, minuteSum, minuteOldest, minuteYoungest, daySum, dayOldest,
      dayYoungest)
    if hasRings then
      text = text .. string.char(minute.capacity, minute.head, minute.size, day.capacity, day.head, day.size,
        refusals.capacity, refusals.head, refusals.size)
    end
    if saved then text = text .. sub(front, #text + 1, REFUSALS_AT - 1) .. saved end
    if not existed then
      front = sub(front, 1, INCARNATION_AT - 1) .. pack(INCARNATION, now)
      text = text .. sub(front, #text + 1)
    end
    if exists then call('SETRANGE', key, '0', text) else call('SET', key, text) end
    -- A value lives for as long as it matters, and a step of the day longer, so that this need not be said each time.
    local small = kind == '2' and daySum * 1000 <= perDay
    if not existed or banStarted or kind == '4' or kind == '2' and small ~= wasSmall
      or floor(newest / day.step) ~= floor(newestBefore / day.step) then
      local kept = max(small and HOUR or DAY, banStarted and banUntil + policy.rest - at or 0) + day.step
      call('PEXPIRE', key, kind == '4' and '1' or format('%d', kept / 1000))
    end
  end

  return pack('<I4I4I4I4I4I4I4HB', admitted, plainRefusals, minuteSum, daySum,
    resetOf(minute, perMinute, newest, minuteSum, minuteOldest), resetOf(day, perDay, newest, daySum, dayOldest), banMs,
    bans, banStarted and 1 or 0) .. sub(front, INCARNATION_AT)
end

local snapshots = { pack('<d', now) }
for i = 1, #KEYS do
  key = KEYS[i]
  local text = ARGV[2 + i]
  snapshots[i + 1] = charge(requests[text] or parse(text))
end
return table.concat(snapshots)
