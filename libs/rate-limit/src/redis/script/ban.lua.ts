import { batchRing } from './batch-ring.lua.js';

const REFUSALS = batchRing('refusals');

/** Refusals and bans, by the steps of `BanRecord`. */
export const BAN = {
  /** Counts refusals, and bans at the one that makes them enough: plainRefusals are those that came before. */
  countRefusals: `
    ${REFUSALS.expire('at - BAN_WITHIN_MS')}
    refusalsNeed = refusalsSize
    local enough = max(BAN_REFUSALS, perMinute)
    if refusalsSum + refused >= enough then
      plainRefusals = max(0, enough - 1 - refusalsSum)
      local isRepeat = bans > 0 and at <= banUntil + BAN_REPEAT_MS
      bans = isRepeat and min(bans + 1, 65535) or 1
      banUntil = dated + min(BAN_FIRST_MS * BAN_FACTOR ^ (bans - 1), BAN_LONGEST_MS)
      banStarted, refusalsSize, refusalsNeed, refusalsSum, refusalsYoungestUnits = true, 0, 0, 0, 0
    else
      ${REFUSALS.add('refused', 'REFUSAL_STEP_MS')}
    end
    newest = at
`,
  writeClosed: REFUSALS.writeClosed,
} as const;
