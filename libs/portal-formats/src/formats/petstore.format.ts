import type { Animal, Photo, Profile } from '../animal.js';
import type { Format, LeftOut, RowValues, WrittenCells } from '../format.js';
import type { Row } from '../row.js';
import { found } from '../text.js';
import { namesIn } from '../words.js';

/** What separates the values of a column that has several; it cannot be part of one. */
const SEPARATOR = '|';

/** Members that are a text, whose column has their name. */
type Text =
  | 'species'
  | 'ageGroup'
  | 'bornOn'
  | 'sex'
  | 'size'
  | 'coat'
  | 'description'
  | 'location'
  | 'reference'
  | 'page';
const TEXTS = 'species ageGroup bornOn sex size coat description location reference page'.split(
  ' ',
) as readonly Text[];
/** Of these, those that may have white space around them. */
const WORDS: ReadonlySet<string> = new Set(['ageGroup', 'bornOn', 'sex', 'size', 'coat', 'page']);
const LISTS = ['breeds', 'colors'] as const;
const FLAGS = ['mixedBreed', 'spayedNeutered', 'houseTrained', 'vaccinated', 'specialNeeds'] as const;
const GOOD_WITH = { children: 'goodWithChildren', dogs: 'goodWithDogs', cats: 'goodWithCats' } as const;
const FEE = { amount: 'adoptionFeeAmount', currency: 'adoptionFeeCurrency' } as const;

const COLUMNS = namesIn(`
  name categoryId status species breeds mixedBreed ageGroup bornOn sex size coat colors description
  ${Object.values(GOOD_WITH).join(' ')} spayedNeutered houseTrained vaccinated specialNeeds
  ${Object.values(FEE).join(' ')} location reference page photos photoDescriptions`);

function read(row: Row): RowValues {
  const list = (column: string): readonly string[] | undefined => row.raw(column)?.split(SEPARATOR);
  const texts = TEXTS.map((name) => [name, WORDS.has(name) ? row.cell(name) : row.raw(name)] as const);
  const fee = row.group({ amount: row.cell(FEE.amount), currency: row.cell(FEE.currency) });
  for (const part of ['amount', 'currency'] as const)
    if (fee !== undefined && fee[part] === undefined)
      row.refuse(FEE[part], 'is missing: a fee has an amount and a currency');
  const profile: Profile = {
    ...Object.fromEntries(texts),
    ...Object.fromEntries(LISTS.map((name) => [name, list(name)])),
    ...Object.fromEntries(FLAGS.map((name) => [name, flag(row, name)])),
    description: row.raw('description')?.replace(/\r\n?/g, '\n'),
    goodWith: row.group({
      children: flag(row, GOOD_WITH.children),
      dogs: flag(row, GOOD_WITH.dogs),
      cats: flag(row, GOOD_WITH.cats),
    }),
    adoptionFee: fee,
    photos: photos(row, list('photos'), list('photoDescriptions')),
  };
  const [name, categoryId, status] = [row.raw('name'), row.cell('categoryId'), row.cell('status')];
  return { reference: profile.reference, name, categoryId, status, profile };
}

function flag(row: Row, column: string): boolean | undefined {
  const cell = row.cell(column);
  const word = cell?.toLowerCase();
  if (cell !== undefined && word !== 'true' && word !== 'false')
    row.refuse(column, `must be true or false${found(cell)}`);
  return cell === undefined ? undefined : word === 'true';
}

function photos(
  row: Row,
  urls: readonly string[] = [],
  descriptions: readonly string[] = [],
): readonly Photo[] | undefined {
  if (descriptions.length > urls.length)
    row.refuse(
      'photoDescriptions',
      `must not have more values than photos; it has ${descriptions.length}, photos ${urls.length}`,
    );
  if (urls.length === 0) return undefined;
  return urls.map((url, at) => {
    const description = descriptions[at] ?? '';
    return description === '' ? { url } : { url, description };
  });
}

function write({ name, categoryId, status, profile }: Animal): WrittenCells | LeftOut {
  const { breeds, colors, photos: pictures, goodWith, adoptionFee } = profile;
  const descriptions = pictures?.map(({ description = '' }) => description) ?? [];
  const lists = {
    breeds,
    colors,
    photos: pictures?.map(({ url }) => url),
    photoDescriptions: descriptions.some((text) => text !== '') ? descriptions : undefined,
  };
  const wrong = Object.entries(lists).find(([, values]) =>
    values?.some((value) => value.includes(SEPARATOR)),
  );
  if (wrong !== undefined) return { leftOut: `${wrong[0]} has a value with ${SEPARATOR}: use NDJSON` };
  const joined = Object.entries(lists).map(([column, values]) => [column, values?.join(SEPARATOR)]);
  const flags = [
    ...FLAGS.map((column) => [column, profile[column]] as const),
    ...(['children', 'dogs', 'cats'] as const).map((who) => [GOOD_WITH[who], goodWith?.[who]] as const),
  ].map(([column, value]) => [column, value === undefined ? undefined : String(value)]);
  return {
    cells: {
      ...{ name, categoryId, status },
      ...Object.fromEntries(TEXTS.map((column) => [column, profile[column]])),
      ...(Object.fromEntries([...joined, ...flags]) as Readonly<Record<string, string | undefined>>),
      [FEE.amount]: adoptionFee?.amount,
      [FEE.currency]: adoptionFee?.currency,
    },
  };
}

/** Of the service itself: every member of an animal and its profile. */
export const PETSTORE: Format = {
  name: 'petstore',
  reading: {
    columns: COLUMNS,
    required: [['name'], ['categoryId']],
    longestRecord: 64 * 1024,
    read,
  },
  writing: { columns: COLUMNS, hasHeader: true, isExact: true, takesPending: true, write },
};

/** The column of a member of a profile, of which the path is given: `goodWith.dogs`, `photos[1].url`. */
export function petstoreColumn(path: string): string {
  const [member = '', part = ''] = path.split('.');
  if (member === 'goodWith') return GOOD_WITH[part as keyof typeof GOOD_WITH];
  if (member === 'adoptionFee') return FEE[part as keyof typeof FEE];
  const name = member.replace(/\[\d+\]$/, '');
  return name === 'photos' && part === 'description' ? 'photoDescriptions' : name;
}
