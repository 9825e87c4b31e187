import { CategoryId, CURRENCY, foldedText, type StringEnum, stringEnum } from '@petstore/pet-domain';
import type { DateOrder } from '@petstore/portal-formats';
import { InvalidArgumentError } from 'commander';

/** What a file of animals may be; `csv` and `ndjson` are of the format `petstore`. */
export const FileFormat = stringEnum('petstore', 'csv', 'ndjson', 'petfinder', 'rescuegroups', 'asm3');

export type FileFormat = (typeof FileFormat.ALL)[number];

/** What becomes of animals of the source that are not in the file. */
export const MISSING = stringEnum('keep', 'sold', 'delete');

export const DATE_ORDER: StringEnum<DateOrder> = stringEnum('mdy', 'dmy');

/** As they are given on the command line. */
export interface ImportOptions {
  readonly format?: FileFormat;
  readonly source?: string;
  readonly category: ReadonlyMap<string, CategoryId>;
  readonly createCategories: boolean;
  readonly missing: (typeof MISSING.ALL)[number];
  readonly allowManyMissing: boolean;
  readonly reopen: boolean;
  readonly force: boolean;
  readonly dateOrder?: DateOrder;
  readonly currency: string;
  readonly dryRun: boolean;
  readonly skipInvalid: boolean;
  readonly token?: string;
}

/** Of a program or a portal that animals come from. */
export function parseSource(text: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('A source is named with 1 to 64 of a-z, 0-9 and -.');
}

export function parseCurrency(text: string): string {
  const currency = CURRENCY.parse(text);
  if (currency !== undefined) return currency;
  throw new InvalidArgumentError('A currency is three capital letters, such as EUR.');
}

/** Values between commas; one with a comma in it is quoted. */
export function parseList(text: string): readonly string[] {
  const entries = text.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  const values = entries.map((entry) => entry.replaceAll('"', '').trim()).filter((value) => value !== '');
  if (values.length > 0) return values;
  throw new InvalidArgumentError('At least one value is needed.');
}

/** `dog=7,"Scales, Fins & Other"=9`: ids of categories by folded species; the last `=` counts. */
export function parseCategories(text: string): ReadonlyMap<string, CategoryId> {
  const categories = new Map<string, CategoryId>();
  for (const pair of parseList(text)) {
    const [, name = '', digits = ''] = /^(.*)=(.*)$/s.exec(pair) ?? [];
    const species = foldedText(name);
    const id = CategoryId.parse(digits.trim());
    if (species === '' || id === undefined || categories.has(species))
      throw new InvalidArgumentError(
        'Categories are named as dog=7,cat=8: a species, once in any case, and the id of its category.',
      );
    categories.set(species, id);
  }
  return categories;
}
