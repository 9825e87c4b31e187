import { CategoryId, CURRENCY, foldedText, type StringEnum, stringEnum, text } from '@petstore/pet-domain';
import type { DateOrder } from '@petstore/portal-formats';
import { IDEMPOTENCY_TOKEN } from '@petstore/persistence';
import { InvalidArgumentError } from 'commander';
import { FOREIGN_NAMES } from '../format-names.js';
import { parseList, parserOf } from '../values.js';

/** What a file of animals may be; `csv` and `ndjson` are of the format `petstore`. */
export const FILE_FORMATS = ['petstore', 'csv', 'ndjson', ...FOREIGN_NAMES];

/** What becomes of animals of the source that are not in the file. */
export const MISSING = stringEnum('keep', 'sold', 'delete');

export const DATE_ORDER: StringEnum<DateOrder> = stringEnum('mdy', 'dmy');

/** As they are given on the command line. */
export interface ImportOptions {
  readonly format?: string;
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

const NAME = /^[a-z0-9-]{1,64}$/;
/** A program or a portal that animals come from. */
const SOURCE = text({
  description: '1 to 64 of a-z, 0-9 and -',
  parse: (sent) => (NAME.test(sent) ? sent : undefined),
  schema: { pattern: NAME.source },
});
export const parseSource = parserOf(SOURCE, 'The name of a source');

export const parseCurrency = parserOf(CURRENCY, 'A currency');

export const parseToken = parserOf(IDEMPOTENCY_TOKEN, 'A token');

/** `dog=7,"Scales, Fins & Other"=9`: ids of categories by folded species; the last `=` counts. */
export function parseCategories(pairs: string): ReadonlyMap<string, CategoryId> {
  const categories = new Map<string, CategoryId>();
  for (const pair of parseList(pairs)) {
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
