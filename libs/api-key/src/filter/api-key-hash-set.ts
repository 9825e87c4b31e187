/** Characters of a hash that the set looks at; 54 bits, of which it keeps 53. */
export const HASH_PREFIX_LENGTH = 9;

/** 2^12: two characters of a hash. At a million hashes a segment holds 244, or 2 KB. */
const SEGMENTS = 4_096;
/** Entries that an empty segment makes room for. */
const FIRST_CAPACITY = 4;
/** A full segment grows by this factor: the smaller, the less memory and the more copying. */
const GROWTH = 1.25;

const EMPTY = new Float64Array(0);

/** Value of each base64url character (RFC 4648, section 5) by its code; 0 for any other character. */
const SIX_BITS = new Uint8Array(128);
Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_').forEach((character, value) => {
  SIX_BITS[character.charCodeAt(0)] = value;
});

/**
 * A set of key hashes in about 9 bytes each: it keeps the first 53 bits, which a double holds exactly, in
 * sorted segments. It only grows.
 *
 * It never denies a hash that was added. Of n hashes it takes another one for known with the probability
 * n / 2^53 (one in 9 thousand million at a million hashes); nobody without the pepper can look for such a hash.
 */
export class ApiKeyHashSet {
  private readonly segments: Float64Array[] = Array.from({ length: SEGMENTS }, () => EMPTY);
  private readonly lengths = new Uint32Array(SEGMENTS);
  private count = 0;
  private capacity = 0;

  /** Different prefixes in the set. */
  get size(): number {
    return this.count;
  }

  /** Bytes that the entries take, the room for further ones included. */
  get bytes(): number {
    return this.capacity * Float64Array.BYTES_PER_ELEMENT;
  }

  /** Whether the hash that begins at `at` in `text` was added. */
  has(text: string, at = 0): boolean {
    const segment = segmentOf(text, at);
    const value = valueOf(text, at);
    const place = this.place(segment, value);
    return place < (this.lengths[segment] ?? 0) && this.segments[segment]?.[place] === value;
  }

  /** Adds the hash that begins at `at` in `text`; whether it was not there yet. */
  add(text: string, at = 0): boolean {
    const segment = segmentOf(text, at);
    const value = valueOf(text, at);
    const place = this.place(segment, value);
    const length = this.lengths[segment] ?? 0;
    let entries = this.segments[segment] ?? EMPTY;
    if (place < length && entries[place] === value) return false;
    if (length === entries.length) entries = this.grow(segment, entries);
    entries.copyWithin(place + 1, place, length);
    entries[place] = value;
    this.lengths[segment] = length + 1;
    this.count++;
    return true;
  }

  /** Where in its segment the value is or belongs. */
  private place(segment: number, value: number): number {
    const entries = this.segments[segment] ?? EMPTY;
    let low = 0;
    let high = this.lengths[segment] ?? 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private grow(segment: number, entries: Float64Array): Float64Array {
    const grown = new Float64Array(Math.max(FIRST_CAPACITY, Math.ceil(entries.length * GROWTH)));
    grown.set(entries);
    this.segments[segment] = grown;
    this.capacity += grown.length - entries.length;
    return grown;
  }
}

function segmentOf(text: string, at: number): number {
  return (bitsOf(text, at) << 6) | bitsOf(text, at + 1);
}

/** The first 53 bits: 24 of four characters, then 29 of five. */
function valueOf(text: string, at: number): number {
  const high = fourOf(text, at);
  const low = fourOf(text, at + 4) * 32 + (bitsOf(text, at + 8) >> 1);
  return high * 2 ** 29 + low;
}

function fourOf(text: string, at: number): number {
  return (
    (bitsOf(text, at) << 18) |
    (bitsOf(text, at + 1) << 12) |
    (bitsOf(text, at + 2) << 6) |
    bitsOf(text, at + 3)
  );
}

function bitsOf(text: string, at: number): number {
  return SIX_BITS[text.charCodeAt(at) & 127] ?? 0;
}
