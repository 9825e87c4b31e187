/** What the scripts do with the rings of a value, and with the rest of its header. */
export const RINGS = `
local unpackTable = unpack
local call, pack, unpack = redis.call, struct.pack, struct.unpack
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
local rep, sub, byte, whole = string.rep, string.sub, string.byte, string.format

-- Bytes of a ring, \`count\` entries from entry \`place\` on, which do not cross its end.
local function entries(key, base, width, place, count)
  return call('GETRANGE', key, whole('%d', base + place * width), whole('%d', base + (place + count) * width - 1))
end

local function write(key, offset, bytes)
  call('SETRANGE', key, whole('%d', offset), bytes)
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
  local bytes = sub(value, base + head * width + 1, base + (head + first) * width)
    .. sub(value, base + 1, base + (size - first) * width)
  return bytes .. rep('\\0', target * width - #bytes)
end

local function readRefusals(header)
  if header == '' then return 0, 0, 0, 0, 0, 0, 0, 0 end
  return unpack(REFUSALS, header, STATE_BYTES + 1)
end

local function capacityFor(size, capacity)
  while capacity < size do capacity = max(4, capacity * 2) end
  return capacity
end
`;
