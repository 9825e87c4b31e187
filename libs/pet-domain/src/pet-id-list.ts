import { PetId } from './pet-id.js';

const MAX = 100;
/** Characters; no request target is longer. */
const MAX_LENGTH = 8_192;

/** Animals that are asked for by their ids (`docs/contract.md`, Lists). */
export const PetIdList = {
  /** Most different ids in a list. */
  MAX,
  /**
   * The different ids that `text` lists in plain decimal digits with a comma between them, in the order of their
   * first appearance; `undefined` when anything else is in it, or more than {@link PetIdList.MAX} different ids.
   */
  parse(text: string): readonly PetId[] | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    const ids = new Set<PetId>();
    for (const part of text.split(',')) {
      const id = PetId.parse(part);
      if (id === undefined || ids.add(id).size > MAX) return undefined;
    }
    return [...ids];
  },
} as const;
