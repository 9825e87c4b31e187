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
   * What no two categories have in common: the name in lower case and NFC, with one space for each run of white space
   * and none at the ends. A letter of lower case may be composed where that of upper case is not.
   */
  keyOf(name: CategoryName): string {
    return name
      .normalize('NFC')
      .toLowerCase()
      .normalize('NFC')
      .replace(/\p{White_Space}+/gu, ' ')
      .trim();
  },
} as const;
