import { type Day, PetProfile } from '@petstore/pet-domain';
import { type Flaw, found } from './stock-record.js';

/** What separates the values of a column that has several; it cannot be part of one. */
const SEPARATOR = '|';

/** How a cell is read, and a profile of nothing but its value, whose flaws are those of the cell. */
interface Column {
  readonly read: (cell: string) => unknown;
  readonly profileOf: (value: unknown) => Readonly<Record<string, unknown>>;
}

const asItIs = (cell: string): string => cell;
const trimmed = (cell: string): string => cell.trim();
const withLineFeeds = (cell: string): string => cell.replace(/\r\n?/g, '\n');
const list = (cell: string): readonly string[] => cell.split(SEPARATOR);

function flag(cell: string): unknown {
  const word = cell.trim().toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : cell;
}

function member(name: string, read: Column['read']): Column {
  return { read, profileOf: (value) => ({ [name]: value }) };
}

/** The columns of a CSV file that make up a profile (docs/contract.md, "Profiles"). */
const COLUMNS: Readonly<Record<string, Column>> = {
  species: member('species', asItIs),
  breeds: member('breeds', list),
  mixedBreed: member('mixedBreed', flag),
  ageGroup: member('ageGroup', trimmed),
  bornOn: member('bornOn', trimmed),
  sex: member('sex', trimmed),
  size: member('size', trimmed),
  coat: member('coat', trimmed),
  colors: member('colors', list),
  description: member('description', withLineFeeds),
  goodWithChildren: { read: flag, profileOf: (children) => ({ goodWith: { children } }) },
  goodWithDogs: { read: flag, profileOf: (dogs) => ({ goodWith: { dogs } }) },
  goodWithCats: { read: flag, profileOf: (cats) => ({ goodWith: { cats } }) },
  spayedNeutered: member('spayedNeutered', flag),
  houseTrained: member('houseTrained', flag),
  vaccinated: member('vaccinated', flag),
  specialNeeds: member('specialNeeds', flag),
  adoptionFeeAmount: {
    read: trimmed,
    profileOf: (amount) => ({ adoptionFee: { amount, currency: 'EUR' } }),
  },
  adoptionFeeCurrency: {
    read: trimmed,
    profileOf: (currency) => ({ adoptionFee: { amount: '0', currency } }),
  },
  location: member('location', asItIs),
  reference: member('reference', asItIs),
  page: member('page', trimmed),
  photos: {
    read: list,
    profileOf: (urls) => ({ photos: (urls as readonly string[]).map((url) => ({ url })) }),
  },
  photoDescriptions: {
    read: list,
    profileOf: (descriptions) => ({
      photos: (descriptions as readonly string[]).map((description, at) => ({
        url: `https://photo.invalid/${at}`,
        ...(description !== '' && { description }),
      })),
    }),
  },
};

export const PROFILE_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/** The members of a profile as JSON would have them, and what is wrong with the cells that they are of. */
export interface ProfileCells {
  readonly profile: Readonly<Record<string, unknown>>;
  readonly flaws: readonly Flaw[];
}

/** @param cells by the names of their columns; an empty one is absent */
export function readProfileCells(cells: ReadonlyMap<string, string>, latestBirth: Day): ProfileCells {
  const flaws: Flaw[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { read, profileOf }] of Object.entries(COLUMNS)) {
    const cell = cells.get(name);
    if (cell === undefined || cell === '') continue;
    const value = read(cell);
    values[name] = value;
    const [flaw] = PetProfile.flawsOf(profileOf(value), latestBirth);
    if (flaw !== undefined)
      flaws.push({ field: name, reason: `${flaw.problem}${foundAt(flaw.path, value)}` });
  }
  return { profile: assembled(values), flaws: [...flaws, ...missingCells(values)] };
}

/** Which of several values is wrong, if there are several. */
function foundAt(path: string, value: unknown): string {
  const [, at] = /\[(\d+)\]/.exec(path) ?? [];
  if (!Array.isArray(value)) return found(value);
  return at === undefined
    ? `; values are separated by ${SEPARATOR}, and there are ${value.length}`
    : `; value ${Number(at) + 1}${found((value as unknown[])[Number(at)]).replace('; it is', ' is')}`;
}

function missingCells({ adoptionFeeAmount, adoptionFeeCurrency, photos, photoDescriptions }: Values): Flaw[] {
  const flaws: Flaw[] = [];
  if (adoptionFeeAmount === undefined && adoptionFeeCurrency !== undefined)
    flaws.push({ field: 'adoptionFeeAmount', reason: 'is missing: a fee has an amount and a currency' });
  if (adoptionFeeAmount !== undefined && adoptionFeeCurrency === undefined)
    flaws.push({ field: 'adoptionFeeCurrency', reason: 'is missing: a fee has an amount and a currency' });
  const count = Array.isArray(photos) ? photos.length : 0;
  if (Array.isArray(photoDescriptions) && photoDescriptions.length > count)
    flaws.push({
      field: 'photoDescriptions',
      reason: `must not have more values than photos; it has ${photoDescriptions.length}, photos ${count}`,
    });
  return flaws;
}

type Values = Readonly<Record<string, unknown>>;

function assembled(values: Values): Values {
  const { goodWithChildren, goodWithDogs, goodWithCats, adoptionFeeAmount, adoptionFeeCurrency, ...rest } =
    values;
  const { photos, photoDescriptions = [], ...members } = rest;
  const goodWith = present({ children: goodWithChildren, dogs: goodWithDogs, cats: goodWithCats });
  const adoptionFee = present({ amount: adoptionFeeAmount, currency: adoptionFeeCurrency });
  const descriptions = photoDescriptions as readonly string[];
  return (
    present({
      ...members,
      goodWith,
      adoptionFee,
      photos: (photos as readonly string[] | undefined)?.map((url, at) => {
        const description = descriptions[at];
        return description === undefined || description === '' ? { url } : { url, description };
      }),
    }) ?? {}
  );
}

/** Those members that have a value; `undefined` when none has. */
function present(members: Values): Values | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
