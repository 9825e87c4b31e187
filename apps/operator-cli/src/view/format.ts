import type { KeyHint, KeyPlan, KeyState } from '@petstore/api-key';
import type { Palette } from './palette.js';

/** `100,000`. */
export function wholeNumber(value: number): string {
  return value.toLocaleString('en-GB');
}

/** `2027-01-31 18:00 UTC`. */
export function moment(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const STEPS = [
  { unit: 'd', size: 86_400_000 },
  { unit: 'h', size: 3_600_000 },
  { unit: 'min', size: 60_000 },
] as const;

/** `5 min`, `3 h`, `12 d`: the distance between two moments, rounded down. */
export function distance(milliseconds: number): string {
  for (const { unit, size } of STEPS) {
    if (milliseconds >= size) return `${Math.floor(milliseconds / size)} ${unit}`;
  }
  return `${Math.max(0, Math.floor(milliseconds / 1000))} s`;
}

/** `pro (300 a minute, 10,000 a day)`. */
export function planText({ name, limits }: KeyPlan): string {
  return `${name} (${wholeNumber(limits.perMinute)} a minute, ${wholeNumber(limits.perDay)} a day)`;
}

/** `pet_live_...x9Qd`; what little may be shown of a key. */
export function hintText({ prefix, lastFour }: KeyHint): string {
  return `${prefix}...${lastFour}`;
}

const STATE_STYLES = { active: 'green', expired: 'dim', revoked: 'red' } as const;

export function stateText(state: KeyState, bannedUntil: Date | undefined, now: Date, paint: Palette): string {
  if (state === 'active' && bannedUntil !== undefined && bannedUntil > now) {
    return paint('red', `banned ${distance(bannedUntil.getTime() - now.getTime())}`);
  }
  return paint(STATE_STYLES[state], state);
}
