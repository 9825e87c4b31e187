-- Decides how many requests each subject may make now: as many as both of its windows have room for, the minute and
-- the day. docs/rate-limits.md explains how a window is counted; src/counters/subject-counters.ts takes the same steps
-- in the process, and a test compares the two number by number. All times are in microseconds.
--
-- KEYS[i]      the counters of a subject; on a cluster all of one slot
-- ARGV[1]      Unix time, for tests; empty for the time of this server
-- ARGV[2]      when a subject is banned: "refusals within first factor repeat longest"; empty for never
-- ARGV[2 + i]  what is asked about KEYS[i]: "perMinute perDay kind wanted allowed", and where the caller has admitted
--              requests by itself " born owed minute day" behind it
--   kind       0 a subject that is never banned, 1 one that can be, 2 one of many (an address), 3 lifts a ban, 4 a probe,
--              which uses every command and is forgotten at once
--   wanted     requests to decide about; 0 only looks
--   allowed    how many of them the caller's own count has room for
--   born       which value the caller saw last, as BORN below
--   owed       how many of its latest requests are not counted there; in another value none of its requests are
--   minute...  what the caller has admitted in either window, the latest first: "age:requests,age:requests"
--
-- Returns the time as a double, then for each key what `readReply` in src/redis/charge-wire.ts reads.

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
local BORN, BORN_BYTES, BORN_AT = '<d', 8, REFUSALS_AT + REFUSALS_BYTES
-- The last byte of the front, as text: a number among the arguments of a command is spelled with 17 digits.
local FRONT_BYTES, FRONT_END = BORN_AT + BORN_BYTES - 1, '106'
-- Then the rings. A batch in them: the moment of its last request modulo 2^40, which is 12 days, and its units.
local BATCH, BATCH_BYTES, BATCH_MODULUS = '<I5I4', 9, 2 ^ 40

local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- A window: how long it is; of the subject that is decided about, what the front says of its batches, and where in the
-- value its ring is.
local function window(length, steps)
  return { length = length, step = length / steps, most = steps, sum = 0, newest = 0, oldest = 0, youngest = 0, base = 0,
    capacity = 0, head = 0, size = 0 }
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
local function eachBatch(w, visit)
  loadRings()
  local seen = 0
  while seen < w.size do
    local first = (w.head + seen) % w.capacity
    local count = min(4, w.size - seen, w.capacity - first)
    local from = w.base + first * BATCH_BYTES
    local bytes = call('GETRANGE', key, format('%d', from), format('%d', from + count * BATCH_BYTES - 1))
    for i = 0, count - 1 do
      local moment, units = unpack(BATCH, bytes, i * BATCH_BYTES + 1)
      if visit(w.newest - (w.newest - moment) % BATCH_MODULUS, units) then return end
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

-- Drops the batches whose last request is as old as the window is long. Returns whether there were any.
local function expire(w)
  local horizon = at - w.length
  if w.sum == 0 or w.oldest > horizon then return false end
  loadRings()
  if w.newest <= horizon then
    w.sum, w.youngest, w.size = 0, 0, 0
    return true
  end
  local gone = 0
  w.oldest = w.newest
  eachBatch(w, function(moment, units)
    if moment > horizon then
      w.oldest = moment
      return true
    end
    gone, w.sum = gone + 1, w.sum - units
  end)
  w.head, w.size = (w.head + gone) % w.capacity, w.size - gone
  return true
end

-- Puts requests into the youngest batch, or closes that and begins another one if a step of the window has begun since.
local function add(w, moment, added)
  if w.youngest > 0 and floor(w.newest / w.step) ~= floor(moment / w.step) then
    loadRings()
    if w.size == w.capacity then grow(w) end
    local from = w.base + (w.head + w.size) % w.capacity * BATCH_BYTES
    call('SETRANGE', key, format('%d', from), pack(BATCH, w.newest % BATCH_MODULUS, w.youngest))
    w.size, w.youngest = w.size + 1, 0
  end
  -- Without another batch, the youngest is the oldest.
  if w.sum == w.youngest then w.oldest = moment end
  w.newest, w.sum, w.youngest = moment, w.sum + added, w.youngest + added
end

-- Puts in, each at its time, the latest `owed` requests of those that the caller tells of: takes all batches out, and adds
-- them again in their order.
local function insert(w, told, owed)
  local batches = { { w.newest, w.youngest } }
  eachBatch(w, function(moment, units) batches[#batches + 1] = { moment, units } end)
  for age, units in gmatch(told, '(%d+):(%d+)') do
    if age + 0 < w.length then batches[#batches + 1] = { at - age, min(units, owed) } end
    owed = max(0, owed - units)
  end
  table.sort(batches, function(one, other) return one[1] < other[1] end)
  w.size, w.sum, w.youngest = 0, 0, 0
  for _, batch in ipairs(batches) do
    if batch[2] > 0 then add(w, batch[1], batch[2]) end
  end
end

-- Milliseconds until a window has room for one more; when it holds more than the limit, for a first one.
local function resetOf(w, limit)
  if w.sum == 0 then return 0 end
  local excess, leaves = w.sum - limit, w.oldest
  if excess > 0 then
    leaves = w.newest
    eachBatch(w, function(moment, units)
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
  local perMinute, perDay, kind, wanted, allowed, told = match(text, '^(%d+) (%d+) (%d) (%d+) (%d+)(.*)')
  local request = { perMinute = perMinute + 0, perDay = perDay + 0, kind = kind, wanted = wanted + 0, allowed = allowed + 0,
    told = told ~= '' and told }
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
  local w, bans = refusals, nil
  bans, w.sum, w.oldest, w.youngest, w.newest = unpack(REFUSALS, front, REFUSALS_AT)
  expire(w)
  local enough, before = max(policy.count, perMinute), refused
  if w.sum + refused < enough then
    add(w, at, refused)
  else
    before = max(0, enough - 1 - w.sum)
    bans = bans > 0 and at <= banUntil + policy.rest and min(bans + 1, 65535) or 1
    banUntil = at + min(policy.first * policy.factor ^ (bans - 1), policy.longest)
    loadRings()
    w.size, w.sum, w.youngest = 0, 0, 0
  end
  return before, banUntil, pack(REFUSALS, bans, w.sum, w.oldest, w.youngest, at)
end

local function charge(request)
  local perMinute, perDay, kind = request.perMinute, request.perDay, request.kind
  -- What another program has put here counts for nothing, and is replaced.
  front = redis.pcall('GETRANGE', key, '0', FRONT_END)
  if type(front) == 'table' and not match(front.err, '^WRONGTYPE') then error(front) end
  exists, hasRings = type(front) == 'string' and #front == FRONT_BYTES, false
  if not exists then front = rep('\0', FRONT_BYTES) end
  local existed = exists
  local shift, latest, newest, banUntil
  shift, latest, newest, banUntil, minute.sum, minute.oldest, minute.youngest, day.sum, day.oldest, day.youngest =
    unpack(STATE, front)
  minute.newest, day.newest = newest, newest
  local wasSmall = day.sum * 1000 <= perDay

  -- The key's time never goes back: when the clock does, it goes on from where it was.
  at = now + shift
  local changed = at < latest
  if changed then at, shift = latest, latest - now end

  if expire(minute) then changed = true end
  if expire(day) then changed = true end

  if request.told then
    local born, owed, ofMinute, ofDay = match(request.told, '(%S+) (%S+) (%S+) (%S+)')
    owed = unpack(BORN, front, BORN_AT) == born + 0 and owed + 0 or math.huge
    insert(minute, ofMinute, owed)
    insert(day, ofDay, owed)
    -- The front has one latest admission for both.
    minute.newest, changed = day.newest, true
  end

  local banned = banUntil > at
  local admitted = banned and 0 or max(0, min(request.wanted, request.allowed, perMinute - minute.sum, perDay - day.sum))
  if admitted > 0 then
    add(minute, at, admitted)
    add(day, at, admitted)
    changed = true
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
    local text = pack(STATE, shift, at, day.newest, banUntil, minute.sum, minute.oldest, minute.youngest, day.sum,
      day.oldest, day.youngest)
    if hasRings then
      text = text .. string.char(minute.capacity, minute.head, minute.size, day.capacity, day.head, day.size,
        refusals.capacity, refusals.head, refusals.size)
    end
    if saved then text = text .. sub(front, #text + 1, REFUSALS_AT - 1) .. saved end
    if not existed then
      front = sub(front, 1, BORN_AT - 1) .. pack(BORN, now)
      text = text .. sub(front, #text + 1)
    end
    if exists then call('SETRANGE', key, '0', text) else call('SET', key, text) end
    -- A value lives for as long as it matters, and a step of the day longer, so that this need not be said each time.
    local small = kind == '2' and day.sum * 1000 <= perDay
    if not existed or banStarted or kind == '4' or kind == '2' and small ~= wasSmall
      or floor(day.newest / day.step) ~= floor(newest / day.step) then
      local kept = max(small and HOUR or DAY, banStarted and banUntil + policy.rest - at or 0) + day.step
      call('PEXPIRE', key, kind == '4' and '1' or format('%d', kept / 1000))
    end
  end

  return pack('<I4I4I4I4I4I4I4HB', admitted, plainRefusals, minute.sum, day.sum, resetOf(minute, perMinute),
    resetOf(day, perDay), banMs, bans, banStarted and 1 or 0) .. sub(front, BORN_AT)
end

local snapshots = { pack('<d', now) }
for i = 1, #KEYS do
  key = KEYS[i]
  local text = ARGV[2 + i]
  snapshots[i + 1] = charge(requests[text] or parse(text))
end
return table.concat(snapshots)
