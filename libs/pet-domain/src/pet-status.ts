/** Every availability status, in the order of the specification (section 2, PetStatus). */
const ALL = ['available', 'pending', 'sold'] as const;

/** Availability of an animal: exactly one of the three words of the specification (section 2). */
export type PetStatus = (typeof ALL)[number];

const known: ReadonlySet<string> = new Set(ALL);

export const PetStatus = {
  ALL,
  /** What an animal is created with unless said. */
  DEFAULT: 'available' satisfies PetStatus,
  /** What is allowed, as a refusal says it: "status must be ...". */
  EXPECTED: `one of ${ALL.join(', ')}`,
  /** The status that `text` names, letter for letter, or `undefined`. */
  parse(text: string): PetStatus | undefined {
    return known.has(text) ? (text as PetStatus) : undefined;
  },
} as const;
