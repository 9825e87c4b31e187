/**
 * Decides how many of the requests of each group are admitted: as many as both windows of all its subjects have room
 * for. docs/rate-limits.md explains how a window is counted, and sliding-windows.ts does the same in the process. Times
 * are in microseconds. Without flags, a server that has no memory left refuses the script as a whole.
 *
 * ```text
 * KEYS         three a subject, of one slot in a group: its state, and the lists of the minute and of the day
 * ARGV[1]      Unix time, for tests; empty for the time of this server
 * ARGV[2]      when a subject is banned: "refusals within first factor repeat longest"; empty for never
 * ARGV[2 + i]  group i: "wanted", then "perMinute perDay kind" for each subject; wanted 0 only looks;
 *              kind 0 is never banned, 1 can be banned, 2 can be banned and has its ban lifted
 * ```
 *
 * It returns what `readReply` in consume-script.ts reads.
 */
export const CONSUME_LUA = `#!lua
local pack, unpack = struct.pack, struct.unpack
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max

-- Version, latest time, latest admission; end of the ban, bans in a row, refusals and when they began; then for minute and
-- day: sum, moment and requests of the oldest batch, requests of the youngest one, number of batches in the list between them.
local STATE, STATE_BYTES, VERSION = '<BdddHI4dI4dI4I4BI4dI4I4B', 81, 1
-- A batch: the moment of its last request modulo 2^40, which is 12 days, and how many there are.
local BATCH, BATCH_BYTES, BATCH_MODULUS = '<I5I4', 9, 2 ^ 40
local MINUTE, MINUTE_STEP, DAY, DAY_STEP = 60000000, 300000, 86400000000, 432000000
-- By so much the clock may go back: the time of a subject then stands still.
local CLOCK_SLACK = 1000000
local NEVER_BANNED, LIFTED = 0, 2

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- Parsed when it is needed; nil where nothing is banned.
local policy
local function policyOf()
  if not policy and ARGV[2] ~= '' then
    local count, within, first, factor, repeated, longest = string.match(ARGV[2], '(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)')
    policy = { count = count + 0, within = within + 0, first = first + 0, factor = factor + 0, repeated = repeated + 0,
      longest = longest + 0 }
  end
  return policy
end

-- False for a value of another program; other errors fail the call.
local function try(...)
  local reply = redis.pcall(...)
  if type(reply) ~= 'table' or not reply.err then return reply end
  if string.find(reply.err, '^WRONGTYPE') then return false end
  error(reply)
end

local function empty(w)
  w.sum, w.oldest, w.oldestUnits, w.youngest, w.closed = 0, 0, 0, 0, 0
end

-- Begins with nothing; isLost when there was something.
local function begin(s, isLost)
  if isLost then redis.call('DEL', s.key, s.minute.key, s.day.key) end
  s.exists, s.lost, s.at, s.newest = false, isLost, now, 0
  s.banUntil, s.bans, s.refusals, s.since = 0, 0, 0, 0
  empty(s.minute)
  empty(s.day)
end

local function readBatch(s, batch)
  local moment, units = unpack(BATCH, batch)
  return s.newest - (s.newest - moment) % BATCH_MODULUS, units
end

-- Whether none of the batches is as old as the window is long.
local function isFresh(s, w)
  return w.sum == 0 or (w.oldestUnits > 0 and w.oldest or s.newest) > s.at - w.length
end

-- Removes the batches whose last request is as old as the window is long. False when the list lacks one.
local function expire(s, w)
  local horizon = s.at - w.length
  if s.newest <= horizon and w.sum > 0 then
    if w.closed > 0 then redis.call('DEL', w.key) end
    empty(w)
    s.changed = true
  end
  while w.oldestUnits > 0 and w.oldest <= horizon do
    w.sum, w.oldestUnits, s.changed = w.sum - w.oldestUnits, 0, true
    if w.closed > 0 then
      local batch = try('LPOP', w.key)
      if not batch or #batch ~= BATCH_BYTES then return false end
      w.oldest, w.oldestUnits = readBatch(s, batch)
      w.closed = w.closed - 1
    end
  end
  return true
end

local function load(s)
  s.changed, s.lost, s.banStarted = false, false, false
  local value = try('GET', s.key)
  if not value then return begin(s, false) end
  if #value ~= STATE_BYTES or string.byte(value) ~= VERSION then return begin(s, true) end
  local m, d, latest, _ = s.minute, s.day, nil, nil
  _, latest, s.newest, s.banUntil, s.bans, s.refusals, s.since, m.sum, m.oldest, m.oldestUnits, m.youngest, m.closed,
    d.sum, d.oldest, d.oldestUnits, d.youngest, d.closed = unpack(STATE, value)
  s.exists, s.savedAt, s.at = true, latest, max(now, latest)
  if latest > now + CLOCK_SLACK or not (isFresh(s, m) or expire(s, m)) or not (isFresh(s, d) or expire(s, d)) then
    begin(s, true)
  end
end

-- Adds requests to the youngest batch, or closes that and begins another one if a step of the window has begun since.
-- False when the list has not as many batches as the state says.
local function add(s, w, units)
  if w.youngest > 0 and floor(s.newest / w.step) ~= floor(s.at / w.step) then
    if w.oldestUnits == 0 then
      w.oldest, w.oldestUnits = s.newest, w.youngest
    else
      w.closed = w.closed + 1
      if try('RPUSH', w.key, pack(BATCH, s.newest % BATCH_MODULUS, w.youngest)) ~= w.closed then return false end
      redis.call('PEXPIRE', w.key, (w.length + w.step + CLOCK_SLACK) / 1000)
    end
    w.youngest = 0
  end
  w.sum, w.youngest, s.changed = w.sum + units, w.youngest + units, true
  return true
end

local function admit(s, units)
  if not (add(s, s.minute, units) and add(s, s.day, units)) then
    begin(s, true)
    admit(s, units)
  end
  s.newest = s.at
end

-- Counts refusals, in a period that begins with the first, towards a ban. Returns how many came before the ban.
local function refuse(s, refused)
  if s.banUntil > s.at then return 0 end
  local p = s.kind ~= NEVER_BANNED and policyOf()
  if not p then return refused end
  if s.at - s.since >= p.within then s.refusals, s.since = 0, s.at end
  local enough, before = max(p.count, s.perMinute), s.refusals
  s.refusals, s.changed = before + refused, true
  if s.refusals < enough then return refused end
  s.bans = s.bans > 0 and s.at <= s.banUntil + p.repeated and min(s.bans + 1, 65535) or 1
  s.banUntil = s.at + min(p.first * p.factor ^ (s.bans - 1), p.longest)
  s.refusals, s.banStarted = 0, true
  return max(0, enough - 1 - before)
end

-- Milliseconds until a window has room for one more; when it holds more than the limit, for a first one.
local function resetOf(s, w, limit)
  if w.sum == 0 then return 0 end
  local excess, leaves = w.sum - limit, s.newest
  if w.oldestUnits > 0 then
    leaves, excess = w.oldest, excess - w.oldestUnits
    if excess >= 0 then
      leaves = s.newest
      for _, batch in ipairs(try('LRANGE', w.key, 0, -1) or {}) do
        if #batch ~= BATCH_BYTES then break end
        local moment, units = readBatch(s, batch)
        excess = excess - units
        if excess < 0 then leaves = moment break end
      end
    end
  end
  return ceil((leaves + w.length - s.at) / 1000)
end

local function save(s)
  if not s.changed then return end
  local m, d = s.minute, s.day
  local value = pack(STATE, VERSION, s.at, s.newest, s.banUntil, s.bans, s.refusals, s.since, m.sum, m.oldest,
    m.oldestUnits, m.youngest, m.closed, d.sum, d.oldest, d.oldestUnits, d.youngest, d.closed)
  -- It lives for as long as it matters, and a step of the day longer, so that this need not be said each time.
  if s.exists and not s.banStarted and floor(s.savedAt / DAY_STEP) == floor(s.at / DAY_STEP) then
    redis.call('SETRANGE', s.key, '0', value)
  else
    if not s.exists and redis.call('DEL', m.key, d.key) > 0 then s.lost = true end
    local kept = max(DAY, policyOf() and s.banUntil + policy.repeated - s.at or 0) + 2 * DAY_STEP
    redis.call('SET', s.key, value, 'PX', string.format('%d', kept / 1000))
  end
end

-- The subjects of a group, by their number; made once.
local subjects = {}
local function subject(n, keyAt)
  local s = subjects[n]
  if not s then
    s = { minute = { length = MINUTE, step = MINUTE_STEP }, day = { length = DAY, step = DAY_STEP } }
    subjects[n] = s
  end
  s.key, s.minute.key, s.day.key = KEYS[keyAt], KEYS[keyAt + 1], KEYS[keyAt + 2]
  return s
end

-- Most groups are asked about in the same words as another one of the call.
local requests = {}
local function parse(text)
  local words = {}
  for word in string.gmatch(text, '%d+') do words[#words + 1] = word + 0 end
  requests[text] = words
  return words
end

local replies, keyAt = { pack('<d', now) }, 1
for i = 3, #ARGV do
  local words = requests[ARGV[i]] or parse(ARGV[i])
  local wanted, count = words[1], (#words - 1) / 3
  local admitted, isRefused = wanted, false
  for n = 1, count do
    local s = subject(n, keyAt)
    keyAt = keyAt + 3
    s.perMinute, s.perDay, s.kind = words[3 * n - 1], words[3 * n], words[3 * n + 1]
    load(s)
    s.room = s.banUntil > s.at and 0 or max(0, min(s.perMinute - s.minute.sum, s.perDay - s.day.sum))
    admitted = min(admitted, s.room)
  end
  for n = 1, count do
    local s, plain, flags, banUntil = subjects[n], 0, 0, nil
    if s.kind == LIFTED then
      banUntil = s.banUntil
      s.banUntil, s.bans, s.refusals, s.changed = 0, 0, 0, s.exists
    end
    if admitted > 0 then admit(s, admitted) end
    if admitted < wanted and not isRefused and s.room == admitted then
      isRefused, flags, plain = true, 4, refuse(s, wanted - admitted)
    end
    save(s)
    flags = flags + (s.banStarted and 1 or 0) + (s.lost and 2 or 0)
    replies[#replies + 1] = pack('<I4I4I4I4I4I4I4HB', admitted, plain, s.minute.sum, resetOf(s, s.minute, s.perMinute),
      s.day.sum, resetOf(s, s.day, s.perDay), ceil(max(0, (banUntil or s.banUntil) - s.at) / 1000), s.bans, flags)
  end
end
return table.concat(replies)
`;
