declare const brand: unique symbol;

/** An animal's name, 1 to {@link PetName.MAX_CODE_POINTS} Unicode code points, kept exactly as it was given. */
export type PetName = string & { readonly [brand]: 'PetName' };

/** Why a text is not a name. */
export type PetNameFlaw = 'empty' | 'blank' | 'too_long' | 'control_character' | 'lone_surrogate';

const MAX_CODE_POINTS = 255;

// What a person would see as nothing at all: white space, zero-width and other invisible characters.
const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
// The refused range is the rule itself: C0 controls and DEL.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/;

/** What keeps `text` from being a name; `undefined` when it is one. */
function flaw(text: string): PetNameFlaw | undefined {
  if (text.length === 0) return 'empty';
  // Every code point takes one or two code units: only in between does counting matter.
  if (text.length > 2 * MAX_CODE_POINTS) return 'too_long';
  if (text.length > MAX_CODE_POINTS && Array.from(text).length > MAX_CODE_POINTS) return 'too_long';
  if (CONTROL.test(text)) return 'control_character';
  if (!text.isWellFormed()) return 'lone_surrogate';
  return BLANK.test(text) ? 'blank' : undefined;
}

export const PetName = {
  /** Longest name, in Unicode code points (an emoji counts once, however many code units it takes). */
  MAX_CODE_POINTS,
  flaw,
  /** `text` as a name, or `undefined` when {@link PetName.flaw} finds one. */
  parse(text: string): PetName | undefined {
    return flaw(text) === undefined ? (text as PetName) : undefined;
  },
} as const;
