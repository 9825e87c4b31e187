import { wholeNumber } from '../view/format.js';
import type { Palette } from '../view/palette.js';

const CELLS = 10;

/** From this share of the limit on an operator should know. */
const NEAR = 0.8;

/** `███░░░░░░░ 312 / 1,000`: how much of a limit is used. */
export function usageBar(used: number, limit: number, paint: Palette): string {
  const share = Math.min(1, used / limit);
  // Any use shows at least one cell, and all cells show only at the limit.
  const cells =
    used === 0 ? 0 : share >= 1 ? CELLS : Math.min(CELLS - 1, Math.max(1, Math.round(share * CELLS)));
  const style = share >= 1 ? 'red' : share >= NEAR ? 'yellow' : 'green';
  const bar = paint(style, '█'.repeat(cells)) + paint('dim', '░'.repeat(CELLS - cells));
  return `${bar} ${wholeNumber(used)} / ${wholeNumber(limit)}`;
}
