const REFUSALS_FIELDS =
  'refusalsHead, refusalsSize, refusalsCapacity, refusalsSum, refusalsOldest, refusalsOldestUnits, refusalsYoungest, refusalsYoungestUnits';
const RINGS_FIELDS =
  'minuteHead, minuteSize, minuteCapacity, minuteOldest, dayHead, daySize, dayCapacity, daySum, dayOldest, dayOldestUnits, dayYoungest, dayYoungestUnits';

/** The value of a subject: the steps that read and write it. See {@link LAYOUT} for what it holds. */
export const VALUE = {
  functions: `
local function readRefusals(header)
  if header == '' then return 0, 0, 0, 0, 0, 0, 0, 0 end
  return unpack(REFUSALS, header, STATE_BYTES + 1)
end
`,

  /** Reads all but the refusals, which most decisions do not need. */
  load: `
  local header = call('GETRANGE', key, '0', LAST_OF_HEADER)
  local subjectGeneration, newest, banUntil, bans = 0, 0, 0, 0
  local ${RINGS_FIELDS} = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  local ${REFUSALS_FIELDS} = 0, 0, 0, 0, 0, 0, 0, 0
  if header ~= '' then
    subjectGeneration, newest, banUntil, bans, ${RINGS_FIELDS} = unpack(STATE, header)
  end
  local minuteBase = HEADER_BYTES
  local dayBase = minuteBase + minuteCapacity * MOMENT_BYTES
  local refusalsBase = dayBase + dayCapacity * BATCH_BYTES
  local refusalsLoaded = false
`,

  loadRefusals: `
    ${REFUSALS_FIELDS} = readRefusals(header)
    refusalsLoaded = true
`,

  /** Writes the whole value anew where a ring has no room, with rings that have. */
  grow: `
  if minuteNeed > minuteCapacity or dayNeed > dayCapacity or refusalsNeed > refusalsCapacity then
    local value = call('GET', key) or ''
    if not refusalsLoaded then
      ${REFUSALS_FIELDS} = readRefusals(header)
      refusalsNeed, refusalsLoaded = refusalsSize, true
    end
    local m, d, r = capacityFor(minuteNeed, minuteCapacity), capacityFor(dayNeed, dayCapacity),
      capacityFor(refusalsNeed, refusalsCapacity)
    call('SET', key, rep('\\0', HEADER_BYTES)
      .. resized(value, minuteBase, MOMENT_BYTES, minuteCapacity, minuteHead, minuteSize, m)
      .. resized(value, dayBase, BATCH_BYTES, dayCapacity, dayHead, daySize, d)
      .. resized(value, refusalsBase, BATCH_BYTES, refusalsCapacity, refusalsHead, refusalsSize, r))
    minuteHead, dayHead, refusalsHead, minuteCapacity, dayCapacity, refusalsCapacity = 0, 0, 0, m, d, r
    dayBase = minuteBase + minuteCapacity * MOMENT_BYTES
    refusalsBase = dayBase + dayCapacity * BATCH_BYTES
  end
`,

  saveHeader: `
    -- Two that are made one after the other are told apart, but for one in 254.
    if subjectGeneration == 0 then subjectGeneration = 2 + call('TIME')[2] % 254 end
    local state = pack(STATE, subjectGeneration, newest, banUntil, bans, minuteHead, minuteNeed, minuteCapacity,
      minuteOldest, dayHead, dayNeed, dayCapacity, daySum, dayOldest, dayOldestUnits, dayYoungest, dayYoungestUnits)
    if refusalsLoaded then
      state = state .. pack(REFUSALS, refusalsHead, refusalsNeed, refusalsCapacity, refusalsSum,
        refusalsOldest, refusalsOldestUnits, refusalsYoungest, refusalsYoungestUnits)
    end
    call('SETRANGE', key, '0', state)
`,

  /** Lets the key live for as long as it matters. */
  keep: `
    local keptMs = dated + DAY_MS - now
    if kind == '2' and daySum * SMALL_PARTS <= perDay then keptMs = dated + SMALL_KEPT_MS - now end
    if bans > 0 then keptMs = max(keptMs, banUntil + BAN_REPEAT_MS - now) end
    -- A key lives through the whole of its last millisecond: what is left of this one is not lost.
    call('PEXPIRE', key, keptMs < DAY_MS + 1 and 'DAY_MS' or whole('%d', ceil(keptMs)))
`,
} as const;
