import { FreeText } from './free-text.js';

declare const brand: unique symbol;

/** What a category is called, kept exactly as it was given. */
export type CategoryName = FreeText & { readonly [brand]: 'CategoryName' };

export const CategoryName = {
  /** `text` as a name, or `undefined` when {@link FreeText.flaw} finds something. */
  parse(text: string): CategoryName | undefined {
    return FreeText.parse(text) as CategoryName | undefined;
  },
  /**
   * What no two categories have in common: the name in NFC and lower case, with one space for each run of white space
   * and none at the ends.
   */
  keyOf(name: CategoryName): string {
    return name
      .normalize('NFC')
      .toLowerCase()
      .replace(/\p{White_Space}+/gu, ' ')
      .trim();
  },
} as const;
