/** Shorter ways to what the script calls most, and to the bytes of a ring: a local is found sooner than a global. */
export const LIBRARY = `
local call, pack, unpack = redis.call, struct.pack, struct.unpack
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
local rep, sub, byte, whole = string.rep, string.sub, string.byte, string.format

-- Bytes of a ring, 'count' entries from entry 'place' on, which do not cross its end.
local function entries(key, base, width, place, count)
  return call('GETRANGE', key, whole('%d', base + place * width), whole('%d', base + (place + count) * width - 1))
end

local function write(key, offset, bytes)
  call('SETRANGE', key, whole('%d', offset), bytes)
end

-- The bytes of a ring from its head on, in a ring of another capacity.
local function resized(value, base, width, capacity, head, size, target)
  local first = min(size, capacity - head)
  local bytes = sub(value, base + head * width + 1, base + (head + first) * width)
    .. sub(value, base + 1, base + (size - first) * width)
  return bytes .. rep('\\0', target * width - #bytes)
end

local function capacityFor(need, capacity)
  while capacity < need do capacity = max(4, capacity * 2) end
  return capacity
end
`;
