import { FreeText } from './free-text.js';

declare const brand: unique symbol;

/** What a category is called, kept exactly as it was given. */
export type CategoryName = FreeText & { readonly [brand]: 'CategoryName' };

/**
 * Zero-width spaces and joiners, soft hyphens, variation selectors and the like, as {@link FreeText} has them; but for the
 * tags that make flags of regions different (Unicode Technical Standard 51, "Emoji Tag Sequences").
 */
const INVISIBLE = /(?<flag>\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F})|\p{Default_Ignorable_Code_Point}/gu;

export const CategoryName = {
  /** `text` as a name, or `undefined` when {@link FreeText.flaw} finds something. */
  parse(text: string): CategoryName | undefined {
    return FreeText.parse(text) as CategoryName | undefined;
  },
  /**
   * What no two categories have in common: the name without invisible characters, in lower case and NFC, with one space for
   * each run of white space and none at the ends. Invisible characters go first: they keep marks from being composed. A
   * letter of lower case may be composed where that of upper case is not.
   */
  keyOf(name: CategoryName): string {
    return name
      .replace(INVISIBLE, '$<flag>')
      .normalize('NFC')
      .toLowerCase()
      .normalize('NFC')
      .replace(/[\p{White_Space}\u2800]+/gu, ' ')
      .trim();
  },
} as const;
