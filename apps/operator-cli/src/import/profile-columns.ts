import { type Day, PetProfile } from '@petstore/pet-domain';
import { type Flaw, found } from './stock-record.js';

/** What separates the values of a column that has several; it cannot be part of one. */
const SEPARATOR = '|';

const asItIs = (cell: string): string => cell;
const trimmed = (cell: string): string => cell.trim();
const withLineFeeds = (cell: string): string => cell.replace(/\r\n?/g, '\n');
const list = (cell: string): readonly string[] => cell.split(SEPARATOR);

function flag(cell: string): unknown {
  const word = cell.trim().toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : cell;
}

/** The columns of a CSV file that make up a profile (docs/contract.md, "Profiles"), and how a cell of each is read. */
const COLUMNS: Readonly<Record<string, (cell: string) => unknown>> = {
  species: asItIs,
  breeds: list,
  mixedBreed: flag,
  ageGroup: trimmed,
  bornOn: trimmed,
  sex: trimmed,
  size: trimmed,
  coat: trimmed,
  colors: list,
  description: withLineFeeds,
  goodWithChildren: flag,
  goodWithDogs: flag,
  goodWithCats: flag,
  spayedNeutered: flag,
  houseTrained: flag,
  vaccinated: flag,
  specialNeeds: flag,
  adoptionFeeAmount: trimmed,
  adoptionFeeCurrency: trimmed,
  location: asItIs,
  reference: asItIs,
  page: trimmed,
  photos: list,
  photoDescriptions: list,
};

export const PROFILE_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/** What was read of cells, by the names of their columns. */
type Values = Readonly<Record<string, unknown>>;

/** Columns whose value is none of a profile without that of another: one that is right, so that only its own flaws are found. */
const BESIDE: Readonly<Partial<Record<string, (value: unknown) => Values>>> = {
  adoptionFeeAmount: () => ({ adoptionFeeCurrency: 'EUR' }),
  adoptionFeeCurrency: () => ({ adoptionFeeAmount: '0' }),
  photoDescriptions: (value) => ({
    photos: (value as readonly string[]).map((_, at) => `https://photo.invalid/${at}`),
  }),
};

/** The members of a profile as JSON would have them, and what is wrong with the cells that they are of. */
interface ProfileCells {
  readonly profile: Values;
  readonly flaws: readonly Flaw[];
}

/** @param cells by the names of their columns; an empty one is absent */
export function readProfileCells(cells: ReadonlyMap<string, string>, latestBirth: Day): ProfileCells {
  const flaws: Flaw[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(COLUMNS)) {
    const cell = cells.get(name);
    if (cell === undefined || cell === '') continue;
    const value = read(cell);
    values[name] = value;
    const [flaw] = PetProfile.flawsOf(profileOf({ ...BESIDE[name]?.(value), [name]: value }), latestBirth);
    if (flaw !== undefined)
      flaws.push({ field: name, reason: `${flaw.problem}${foundAt(flaw.path, value)}` });
  }
  return { profile: profileOf(values), flaws: [...flaws, ...missingCells(values)] };
}

/** Which of several values is wrong, if there are several. */
function foundAt(path: string, value: unknown): string {
  const [, at] = /\[(\d+)\]/.exec(path) ?? [];
  if (!Array.isArray(value)) return found(value);
  return at === undefined
    ? `; values are separated by ${SEPARATOR}, and there are ${value.length}`
    : `; value ${Number(at) + 1}${found((value as unknown[])[Number(at)]).replace('; it is', ' is')}`;
}

function missingCells(values: Values): Flaw[] {
  const flaws: Flaw[] = [];
  const [missing, both] = FEE.filter((name) => values[name] === undefined);
  if (missing !== undefined && both === undefined)
    flaws.push({ field: missing, reason: 'is missing: a fee has an amount and a currency' });
  const { photos = [], photoDescriptions = [] } = values as Readonly<Record<string, readonly string[]>>;
  const [count, most] = [photoDescriptions.length, photos.length];
  if (count > most)
    flaws.push({
      field: 'photoDescriptions',
      reason: `must not have more values than photos; it has ${count}, photos ${most}`,
    });
  return flaws;
}

const FEE = ['adoptionFeeAmount', 'adoptionFeeCurrency'];

/** The profile as JSON would have it. */
function profileOf(values: Values): Values {
  const { goodWithChildren, goodWithDogs, goodWithCats, ...rest } = values;
  const { adoptionFeeAmount, adoptionFeeCurrency, photos, photoDescriptions, ...members } = rest;
  const urls = photos as readonly string[] | undefined;
  const descriptions = photoDescriptions as readonly string[] | undefined;
  return {
    ...members,
    goodWith: unlessEmpty({ children: goodWithChildren, dogs: goodWithDogs, cats: goodWithCats }),
    adoptionFee: unlessEmpty({ amount: adoptionFeeAmount, currency: adoptionFeeCurrency }),
    photos: urls?.map((url, at) => {
      const description = descriptions?.[at];
      return { url, description: description === '' ? undefined : description };
    }),
  };
}

/** `undefined` when no member has a value. */
function unlessEmpty(members: Values): Values | undefined {
  return Object.values(members).some((value) => value !== undefined) ? members : undefined;
}
