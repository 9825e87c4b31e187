import { CategoryId } from '@petstore/pet-domain';
import type { DateOrder } from '@petstore/portal-formats';
import { InvalidArgumentError } from 'commander';
import type { StockFormat } from './stock-file.js';

/** As they are given on the command line. */
export interface ImportOptions {
  readonly format?: StockFormat;
  readonly source?: string;
  readonly category: ReadonlyMap<string, CategoryId>;
  readonly createCategories: boolean;
  readonly missing: 'keep' | 'sold' | 'delete';
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

/** ISO 4217. */
export function parseCurrency(text: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text;
  throw new InvalidArgumentError('A currency is three capital letters, such as EUR.');
}

/** `dog=7,"Scales, Fins & Other"=9`: ids of categories by species in small letters; the last `=` counts. */
export function parseCategories(text: string): ReadonlyMap<string, CategoryId> {
  const entries = text.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  return new Map(
    entries.map((entry) => {
      const pair = entry.replaceAll('"', '');
      const at = pair.lastIndexOf('=');
      const species = pair.slice(0, Math.max(0, at)).trim().toLowerCase();
      const id = CategoryId.parse(pair.slice(at + 1).trim());
      if (species === '' || id === undefined)
        throw new InvalidArgumentError(
          'Categories are named as dog=7,cat=8: a species, and the id of its category.',
        );
      return [species, id];
    }),
  );
}
