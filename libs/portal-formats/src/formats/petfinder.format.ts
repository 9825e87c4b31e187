import type { Animal } from '../animal.js';
import type { Columns } from '../columns.js';
import * as column from '../columns.js';
import { PETFINDER_AGES } from '../days.js';
import type { ReadFormat, WrittenFormat } from '../format.js';
import { petfinderType } from '../species.js';
import { AGE, COAT, FLAG, SEX, SIZE, wordsOf } from '../words.js';

const STATUS = wordsOf({
  available: 'a, adoptable, available',
  pending: 'h, hold, p, pending',
  sold: 'x, adopted',
  gone: 'f, found',
});
const SIZES = column.cellsOf({ small: 'S', medium: 'M', large: 'L', xlarge: 'XL' });
const FEE = column.fee(2);

// As the portal's own column text of August 2019, ASM3 and other programs agree on them.
const COLUMNS: Columns = {
  ID: column.KEY,
  Internal: column.REFERENCE,
  AnimalName: column.text('name'),
  PrimaryBreed: column.breed(0),
  SecondaryBreed: column.breed(1),
  Sex: column.word('profile.sex', SEX, column.cellsOf({ male: 'M', female: 'F' })),
  Size: {
    ...column.word('profile.size', SIZE),
    write: ({ profile: { size } }, _options, { notes }) => {
      if (size === undefined) notes.push('Size is M, since it is not known');
      return SIZES(size ?? 'medium');
    },
  },
  Age: column.age(AGE, PETFINDER_AGES),
  Desc: column.lines('profile.description', (description) => description.replaceAll('\n', '&#10;')),
  Type: column.text('profile.species', petfinderType),
  Status: { ...column.word('status', STATUS), write: ({ status }) => (status === 'pending' ? 'P' : 'A') },
  Shots: column.flag('profile.vaccinated', '1', ''),
  Altered: column.flag('profile.spayedNeutered', '1', ''),
  NoDogs: column.inverted('profile.goodWith.dogs'),
  NoCats: column.inverted('profile.goodWith.cats'),
  NoKids: column.inverted('profile.goodWith.children'),
  Housetrained: column.flag('profile.houseTrained', '1', ''),
  ...column.blank('Declawed'),
  specialNeeds: column.flag('profile.specialNeeds', '1', ''),
  Mix: column.flag('profile.mixedBreed', '1', ''),
  ...column.numbered('photo', 6, column.photo),
  ...column.blank('arrival_date'),
  birth_date: column.day('profile.bornOn'),
  primaryColor: column.color(0),
  secondaryColor: column.color(1),
  tertiaryColor: column.color(2),
  coat_length: column.word('profile.coat', COAT),
  adoption_fee: {
    ...FEE,
    read: (row, column) => (row.word(FLAG, 'display_adoption_fee') === false ? undefined : row.fee(column)),
  },
  display_adoption_fee: {
    read: () => undefined,
    write: (animal, options) =>
      FEE.write?.(animal, options, { shortened: [], notes: [] }) === undefined ? undefined : '1',
  },
  ...column.blank('adoption_fee_waived', 'special_needs_notes', 'no_other', 'no_other_note', 'tags'),
};

const leaveOut = ({ profile: { sex, breeds, species } }: Animal): string | undefined =>
  column.lacking({ sex, breed: breeds?.[0], type: petfinderType(species) });

/** Petfinder's import file. */
export const PETFINDER: ReadFormat & WrittenFormat = {
  reading: column.readingOf(COLUMNS, { required: [['ID']], longestRecord: 1024 * 1024 }),
  writing: column.writingOf(COLUMNS, leaveOut, { hasHeader: true, takesPending: true }),
};
