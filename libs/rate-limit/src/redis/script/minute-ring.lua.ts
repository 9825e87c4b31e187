/**
 * The ring of the minute holds one moment for each admission. Its steps are parts of one Lua function, over the locals
 * minuteHead, minuteSize, minuteCapacity, minuteOldest (as stored), minuteBase (its first byte) and minuteNeed (its size
 * after this charge): a call of a function for each would cost more than they do. `SlidingWindow` takes the same steps.
 */
export const MINUTE_RING = {
  functions: `
local function momentIn(bytes, index, latest)
  return latest - (latest - unpack('<H', bytes, index * MOMENT_BYTES + 1)) % 65536
end

-- How many moments from the head on are 'expiry' or before, and the first that is not; the latest is not.
local function countExpired(key, base, capacity, head, size, latest, expiry)
  local passed, chunk = 0, 8
  while true do
    local place = (head + passed) % capacity
    local count = min(chunk, size - passed, capacity - place)
    local bytes = entries(key, base, MOMENT_BYTES, place, count)
    if momentIn(bytes, count - 1, latest) > expiry then
      local low, high = 0, count - 1
      while low < high do
        local middle = floor((low + high) / 2)
        if momentIn(bytes, middle, latest) > expiry then high = middle else low = middle + 1 end
      end
      return passed + low, momentIn(bytes, low, latest)
    end
    passed, chunk = passed + count, chunk * 4
  end
end
`,

  /** Removes what has left the window. The youngest of the day is that of the minute, too. */
  expire: `
  if minuteSize > 0 and minuteOldest <= at - MINUTE_MS then
    if dayYoungest <= at - MINUTE_MS then
      minuteSize = 0
    else
      local passed
      passed, minuteOldest =
        countExpired(key, minuteBase, minuteCapacity, minuteHead, minuteSize, dayYoungest, at - MINUTE_MS)
      minuteHead, minuteSize = (minuteHead + passed) % minuteCapacity, minuteSize - passed
    end
  end
`,

  add: `
    if minuteSize == 0 then minuteOldest = dated end
    minuteNeed = minuteSize + admitted
`,

  /** Writes the moments of the admissions behind the others: there is room. */
  write: `
    local place, bytes = (minuteHead + minuteSize) % minuteCapacity, pack('<H', dated % 65536)
    local first = min(admitted, minuteCapacity - place)
    write(key, minuteBase + place * MOMENT_BYTES, rep(bytes, first))
    if first < admitted then write(key, minuteBase, rep(bytes, admitted - first)) end
`,

  /** Milliseconds until there is room for one more; when it holds more than the limit, for a first one. */
  reset: `
  local minuteReset = 0
  if minuteNeed > perMinute and perMinute > 0 then
    local place = (minuteHead + minuteNeed - perMinute) % minuteCapacity
    minuteReset = momentIn(entries(key, minuteBase, MOMENT_BYTES, place, 1), 0, dayYoungest) + MINUTE_MS - now
  elseif minuteNeed > 0 then
    minuteReset = minuteOldest + MINUTE_MS - now
  end
`,
} as const;
