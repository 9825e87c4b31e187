import { Day, PetProfile } from '@petstore/pet-domain';

/** In which order a file writes month and day where the day does not say it itself. */
export type DateOrder = 'mdy' | 'dmy';

const DAY =
  /^(?<first>\d{1,4})(?<separator>[-/.])(?<second>\d{1,2})\k<separator>(?<third>\d{1,4})(?:[T\s].*)?$/;

/** Refuses a day whose month could be its day. */
export const AMBIGUOUS = 'may be day and month or month and day: say which with --date-order mdy or dmy';

/**
 * A day as people write it: the year first, or last with four digits. A time behind it is ignored.
 *
 * @returns `YYYY-MM-DD`; `undefined` when there is no such day; {@link AMBIGUOUS} when it could be either of two
 */
export function readDay(cell: string, order: DateOrder | undefined): string | undefined {
  const { first = '', second = '', third = '' } = DAY.exec(cell)?.groups ?? {};
  if (first.length === 4) return third.length > 2 ? undefined : dayOf(first, second, third);
  if (first.length > 2 || third.length !== 4) return undefined;
  const [one, other] = [Number(first), Number(second)];
  if (one > 12) return dayOf(third, second, first);
  if (other > 12 || one === other) return dayOf(third, first, second);
  if (order === undefined) return AMBIGUOUS;
  return order === 'mdy' ? dayOf(third, first, second) : dayOf(third, second, first);
}

function dayOf(year: string, month: string, day: string): Day | undefined {
  return Day.parse(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

/** Up to how many days an animal is a baby, young and adult; older ones are seniors. */
export type AgeBands = readonly [baby: number, young: number, adult: number];

/** Of Petfinder; RescueGroups takes the same. */
export const PETFINDER_AGES: AgeBands = [365, 1_095, 2_920];

/** The age group of so many days. */
export function ageGroupOf(days: number, bands: AgeBands): string | undefined {
  // Of the last one there is no end.
  return PetProfile.FIELDS.ageGroup.ALL.find((_, at) => days < (bands[at] ?? Infinity));
}

/** Whole days from one `YYYY-MM-DD` to another. */
export function daysBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
