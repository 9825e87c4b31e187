import { hash } from 'node:crypto';

/** Longest reference that is remembered as it is, in characters; a number or a UUID is shorter. */
const LONGEST = 40;

/** The references of a file so far. Each takes some 60 bytes, however long it is: a file may have a million. */
export class FileReferences {
  /** Whether the file shows the animal as gone. */
  private readonly known = new Map<string, boolean>();

  /** @returns whether it is the first record with this reference */
  add(reference: string, isGone: boolean): boolean {
    const stored = storedReference(reference);
    if (this.known.has(stored)) return false;
    this.known.set(stored, isGone);
    return true;
  }

  /** Whether the file lacks the animal, or shows it as gone. */
  lacks(reference: string): boolean {
    return this.known.get(storedReference(reference)) !== false;
  }
}

/** A hash is longer than any reference that is remembered as it is. */
function storedReference(reference: string): string {
  return reference.length <= LONGEST ? reference : hash('sha256', reference, 'base64url');
}
