import type { Animal } from '../animal.js';
import type { Column, Columns } from '../columns.js';
import * as column from '../columns.js';
import { PETFINDER_AGES } from '../days.js';
import type { ReadFormat, WrittenFormat } from '../format.js';
import { isDog } from '../species.js';
import { toHtml } from '../text.js';
import { AGE, capital, COAT, SEX, SIZE, wordsOf } from '../words.js';

const STATUS = wordsOf({
  available: 'available, adoptable',
  pending: 'pending, adoption pending, hold, on hold, medical hold, court hold',
  sold: 'adopted',
  gone: 'not available, unavailable, not for adoption, transferred, deceased, passed away, euthanized, returned to owner, removed, sanctuary, permanent foster, found',
});

const COATS = column.cellsOf({ short: 'Short', medium: 'Medium', long: 'Long' });
const LONGEST_NAME = 50;
const LONGEST_RESCUE_ID = 25;

const yesNo = (member: string): Column => column.flag(`profile.${member}`, 'Yes', 'No');

const COLUMNS: Columns = {
  externalID: column.KEY,
  ...column.blank('internalID'),
  rescueID: {
    ...column.REFERENCE,
    write: ({ profile: { reference = '' } }, _options, { shortened }) => {
      if (Array.from(reference).length <= LONGEST_RESCUE_ID) return reference;
      shortened.push(`rescueID: blank, since the reference is longer than ${LONGEST_RESCUE_ID}`);
      return undefined;
    },
  },
  name: {
    ...column.text('name'),
    write: ({ name }, _options, { shortened }) => {
      const characters = Array.from(name);
      if (characters.length > LONGEST_NAME)
        shortened.push(`name: ${LONGEST_NAME} of ${characters.length} characters`);
      return characters.slice(0, LONGEST_NAME).join('');
    },
  },
  status: { ...column.word('status', STATUS), write: () => 'Available' },
  type: column.text('profile.species', capital),
  priBreed: column.breed(0),
  secBreed: column.breed(1),
  mix: yesNo('mixedBreed'),
  sex: column.word('profile.sex', SEX),
  age: column.age(AGE, PETFINDER_AGES),
  okwithdogs: yesNo('goodWith.dogs'),
  okwithcats: yesNo('goodWith.cats'),
  okwithkids: yesNo('goodWith.children'),
  ...column.blank('declawed'),
  housebroken: yesNo('houseTrained'),
  specialNeeds: yesNo('specialNeeds'),
  altered: yesNo('spayedNeutered'),
  size: column.word('profile.size', SIZE, (size) => (size === 'xlarge' ? 'X-Large' : capital(size))),
  uptodate: yesNo('vaccinated'),
  color: column.color(0),
  ...column.blank('pattern'),
  coatLength: column.word('profile.coat', COAT, COATS),
  ...column.blank('courtesy'),
  dsc: column.lines('profile.description', toHtml),
  ...column.blank('found', 'foundDate', 'foundZipcode'),
  ...column.numbered('photo', 4, column.photo),
  ...column.blank('videoUrl'),
};

/** Of the older form that ASM3 writes, beside those of the same name. */
const ASM3_COLUMNS: Columns = {
  ...column.blank('orgID', 'lastUpdated', 'summary', 'breed'),
  animalID: column.KEY,
  species: column.text('profile.species'),
  primaryBreed: column.breed(0),
  secondaryBreed: column.breed(1),
  mixed: yesNo('mixedBreed'),
  dogs: yesNo('goodWith.dogs'),
  cats: yesNo('goodWith.cats'),
  kids: yesNo('goodWith.children'),
  housetrained: yesNo('houseTrained'),
  description: column.lines('profile.description', toHtml),
  ...column.numbered('pic', 4, column.photo),
};

const leaveOut = ({ profile: { breeds, species } }: Animal): string | undefined =>
  column.lacking({ breed: isDog(species) ? '' : breeds?.[0], type: species });

/** RescueGroups' import file, and the older form of it that ASM3 writes. */
export const RESCUEGROUPS: ReadFormat & WrittenFormat = {
  reading: column.readingOf(
    { ...COLUMNS, ...ASM3_COLUMNS },
    {
      required: [['externalID', 'animalID']],
      longestRecord: 1024 * 1024,
      shortRowsWith: 'animalID',
    },
  ),
  writing: column.writingOf(COLUMNS, leaveOut, { hasHeader: true, takesPending: false }),
};
