import { FreeText } from './free-text.js';

declare const brand: unique symbol;

/** An animal's name (specification, section 2, Pet). */
export type PetName = FreeText & { readonly [brand]: 'PetName' };

export const PetName = {
  /** Longest name, in Unicode code points (an emoji counts once, however many code units it takes). */
  MAX_CODE_POINTS: FreeText.MAX_CODE_POINTS,
  /** What is allowed, as a refusal says it: "name must be ...". */
  EXPECTED: FreeText.EXPECTED,
  flaw: (text: string) => FreeText.flaw(text),
  /** `text` as a name, or `undefined` when {@link FreeText.flaw} finds something. */
  parse(text: string): PetName | undefined {
    return FreeText.parse(text) as PetName | undefined;
  },
} as const;
