/** What is done with rings of batches in loops. */
export const BATCH_RING_FUNCTIONS = `
-- Calls 'visit' with every batch from the head on, oldest first, until it returns true.
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

-- Removes the batches that are 'expiry' or before; head, size, sum and oldest batch after that.
local function expireBatches(key, base, capacity, head, size, sum, latest, expiry)
  local passed, freed, oldest, oldestUnits = 0, 0, 0, 0
  eachBatch(key, base, capacity, head, size, latest, function(at, units)
    if at > expiry then
      oldest, oldestUnits = at, units
      return true
    end
    passed, freed = passed + 1, freed + units
  end)
  return (head + passed) % capacity, size - passed, sum - freed, oldest, oldestUnits
end
`;

/** A ring of batches: the steps that the day and the refusals have in common. */
interface BatchRingSteps {
  /** Removes what is `expiry` or before. */
  expire(expiry: string): string;
  /** Adds units to the youngest batch, or closes that and begins another one. */
  add(units: string, stepMs: string): string;
  /** Writes the batch that was closed behind the others: there is room. */
  readonly writeClosed: string;
}

/**
 * Steps of one ring of batches, over locals whose names begin with its own: for the day dayHead, daySize, dayCapacity,
 * daySum, dayOldest, dayOldestUnits, dayYoungest, dayYoungestUnits (as stored), dayBase (its first byte), dayNeed (its
 * size after this charge) and dayClosed (the bytes of a batch that this charge puts into the ring, or nil).
 * `SlidingWindow` and `BatchRing` take the same steps.
 */
export function batchRing(name: 'day' | 'refusals'): BatchRingSteps {
  const named = (text: string): string => text.replace(/\bring(?=[A-Z])/g, name);
  return {
    expire: (expiry) =>
      named(`
  if ringYoungestUnits > 0 and ringYoungest <= ${expiry} then
    ringSize, ringSum, ringYoungestUnits = 0, 0, 0
  elseif ringSize > 0 and ringOldest <= ${expiry} then
    ringHead, ringSize, ringSum, ringOldest, ringOldestUnits =
      expireBatches(key, ringBase, ringCapacity, ringHead, ringSize, ringSum, ringYoungest, ${expiry})
  end
`),
    add: (units, stepMs) =>
      named(`
    if ringYoungestUnits > 0 and (floor(ringYoungest / ${stepMs}) ~= floor(dated / ${stepMs})
      or ringYoungestUnits + ${units} > MAX_BATCH) then
      ringClosed = pack('<I4H', ringYoungest % 4294967296, ringYoungestUnits)
      if ringSize == 0 then ringOldest, ringOldestUnits = ringYoungest, ringYoungestUnits end
      ringNeed, ringYoungestUnits = ringSize + 1, 0
    end
    ringYoungest, ringYoungestUnits, ringSum = dated, ringYoungestUnits + ${units}, ringSum + ${units}
`),
    writeClosed: named(`
  if ringClosed then write(key, ringBase + (ringHead + ringSize) % ringCapacity * BATCH_BYTES, ringClosed) end
`),
  };
}

/** Milliseconds until the day has room for one more; when it holds more than the limit, for a first one. */
export const DAY_RESET = `
  local dayReset = 0
  if daySum > 0 then
    local excess, last = daySum - perDay + 1, dayYoungest
    if dayNeed > 0 and excess <= dayOldestUnits then
      last = dayOldest
    elseif dayNeed > 0 then
      eachBatch(key, dayBase, dayCapacity, dayHead, dayNeed, dayYoungest, function(leaves, units)
        excess = excess - units
        if excess <= 0 then last = leaves end
        return excess <= 0
      end)
    end
    dayReset = last + DAY_MS - now
  end
`;
