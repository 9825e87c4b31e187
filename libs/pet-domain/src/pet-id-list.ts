import { PetId } from './pet-id.js';

const MAX = 100;
/** Twice what 100 ids can take. */
const MAX_LENGTH = 4_096;

/** Animals that are asked for by their ids (`docs/contract.md`, Lists). */
export const PetIdList = {
  /** Most different ids in a list. */
  MAX,
  /** Longest text of a list, in characters: repetitions may be in it. */
  MAX_LENGTH,
  /**
   * The different ids that `text` lists in plain decimal digits with a comma between them, in the order of their
   * first appearance; `undefined` when anything else is in it, or more than {@link PetIdList.MAX} different ids, or when
   * the text is longer than {@link PetIdList.MAX_LENGTH}.
   */
  parse(text: string): readonly PetId[] | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    const ids = new Set<PetId>();
    let end = -1;
    do {
      const start = end + 1;
      end = text.indexOf(',', start);
      const part = end === -1 ? text.slice(start) : text.slice(start, end);
      // A repetition costs no more than to see that it is one.
      if (ids.has(part as PetId)) continue;
      const id = PetId.parse(part);
      if (id === undefined || ids.size === MAX) return undefined;
      ids.add(id);
    } while (end !== -1);
    return [...ids];
  },
} as const;
