import { withConstants } from './constants.js';
import { LAYOUT } from './layout.js';

/** Ends the ban of KEYS[1], and forgets what led to it. Returns 1 if there was one; ARGV[1] as for a charge. */
export const LIFT_BAN_SCRIPT = withConstants(
  `
local header = redis.call('GETRANGE', KEYS[1], '0', LAST_OF_HEADER)
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
redis.call('SETRANGE', KEYS[1], '0', struct.pack(STATE, unpack(state, 1, 16))
  .. struct.pack(REFUSALS, unpack(refusals, 1, 8)))
return banUntil > now and 1 or 0
`,
  LAYOUT,
);
