import { hash } from 'node:crypto';

/** Longest reference that is remembered as it is, in characters; a number or a UUID is shorter. */
const LONGEST = 40;

/** The references of a file so far. Each takes some 60 bytes, however long it is: a file may have a million. */
export class FileReferences {
  private readonly present = new Set<string>();
  private readonly gone = new Set<string>();

  /** @returns whether it is the first record with this reference */
  add(reference: string, isGone: boolean): boolean {
    const stored = storedReference(reference);
    if (this.present.has(stored) || this.gone.has(stored)) return false;
    (isGone ? this.gone : this.present).add(stored);
    return true;
  }

  /** Whether the file has the animal, and does not show it as gone. */
  has(reference: string): boolean {
    return this.present.has(storedReference(reference));
  }
}

/** A hash is longer than any reference that is remembered as it is. */
function storedReference(reference: string): string {
  return reference.length <= LONGEST ? reference : hash('sha256', reference, 'base64url');
}
