import { randomInt } from 'node:crypto';

/** From so many names on a table is faster than looking at each. */
const FEW = 8;

/** Slots of the first table; there are always more than twice as many as names. */
const FIRST_SLOTS = 64;
const GROWTH = 8;

/** Secret, so that no client can choose names that collide. Odd, and different in every process. */
const MULTIPLIER = (randomInt(2 ** 30) * 2 + 0x55555) | 1;

/**
 * The member names of one JSON object, to find the one that comes twice. A name is where it stands in the text: a
 * string of its own would cost several times as much, and V8 hashes strings that look like whole numbers by their
 * value, so that a client that chooses such names can let all of them collide in a Set.
 */
export class MemberNames {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  /** Names that are not written as they are. */
  private unescaped: (string | undefined)[] | undefined;
  private hashes: number[] | undefined;
  /** For each hash the number of a name, from 1 on, in the first free slot. */
  private slots: Int32Array | undefined;

  /** With a first name; {@link add} says what the others are. */
  constructor(
    private readonly text: string,
    start: number,
    end: number,
    unescaped: string | undefined,
  ) {
    this.push(start, end, unescaped);
  }

  /**
   * Adds a name.
   * @param start of what stands between the quotes
   * @param unescaped the name, if it is not written as it is
   * @returns false when it is here already
   */
  add(start: number, end: number, unescaped?: string): boolean {
    const { length } = this.starts;
    if (length < FEW) {
      for (let i = 0; i < length; i++) if (this.isSame(i, start, end, unescaped)) return false;
      this.push(start, end, unescaped);
      return true;
    }
    const hash =
      unescaped === undefined ? hashOf(this.text, start, end) : hashOf(unescaped, 0, unescaped.length);
    const hashes = (this.hashes ??= this.hashAll());
    let slots = this.slots;
    if (slots === undefined || 2 * length >= slots.length) slots = this.grow(hashes);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let number = slots[slot] ?? 0; number !== 0; number = slots[slot] ?? 0) {
      if (hashes[number - 1] === hash && this.isSame(number - 1, start, end, unescaped)) return false;
      slot = (slot + 1) & mask;
    }
    this.push(start, end, unescaped);
    hashes.push(hash);
    slots[slot] = length + 1;
    return true;
  }

  private push(start: number, end: number, unescaped: string | undefined): void {
    if (unescaped !== undefined) (this.unescaped ??= [])[this.starts.length] = unescaped;
    this.starts.push(start);
    this.ends.push(end);
  }

  private nameOf(index: number): string {
    return this.unescaped?.[index] ?? this.text.slice(this.starts[index], this.ends[index]);
  }

  private isSame(index: number, start: number, end: number, unescaped: string | undefined): boolean {
    if (unescaped !== undefined || this.unescaped?.[index] !== undefined)
      return this.nameOf(index) === (unescaped ?? this.text.slice(start, end));
    const { text } = this;
    let at = this.starts[index] ?? 0;
    if ((this.ends[index] ?? 0) - at !== end - start) return false;
    for (let i = start; i < end; i++, at++) if (text.charCodeAt(i) !== text.charCodeAt(at)) return false;
    return true;
  }

  private hashAll(): number[] {
    return this.starts.map((start, index) => {
      const name = this.unescaped?.[index];
      return name === undefined
        ? hashOf(this.text, start, this.ends[index] ?? start)
        : hashOf(name, 0, name.length);
    });
  }

  private grow(hashes: readonly number[]): Int32Array {
    const slots = (this.slots = new Int32Array(
      this.slots === undefined ? FIRST_SLOTS : GROWTH * this.slots.length,
    ));
    const mask = slots.length - 1;
    for (let number = 1; number <= hashes.length; number++) {
      let slot = (hashes[number - 1] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    return slots;
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), MULTIPLIER);
  return hash ^ (hash >>> 15);
}
