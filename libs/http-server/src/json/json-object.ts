import { isUtf8 } from 'node:buffer';
import { JsonNumber } from './json-number.js';

/** Deepest nesting of objects and arrays; far more than any client needs, far less than a stack holds. */
const MAX_DEPTH = 64;

/** A JSON text that the contract does not allow. */
export class JsonObjectError extends Error {
  override readonly name = 'JsonObjectError';
}

/** An object or array within a JSON object, as its text: known to be well-formed, but not made into a value. */
export class JsonText {
  constructor(readonly source: string) {}
}

/** Members of a JSON object, without a prototype: numbers are `JsonNumber`s, objects and arrays `JsonText`s. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads one JSON object (RFC 8259) with the care that an exact contract needs: UTF-8 only, no member
 * name twice at any depth, bounded nesting, and numbers kept as they were written.
 *
 * @param wanted names of the members that are given back, in ASCII; the others are checked like them, and cost no more
 * than that. All of them unless given.
 * @throws JsonObjectError whose message names the problem in our own words
 */
export function parseJsonObject(bytes: Uint8Array, wanted?: readonly string[]): JsonObject {
  if (!isUtf8(bytes)) throw new JsonObjectError('The request body must be encoded in UTF-8.');
  return new Scanner(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), wanted).scan();
}

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x5c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON, MINUS, PLUS, DOT, ZERO, NINE] = [0x2c, 0x3a, 0x2d, 0x2b, 0x2e, 0x30, 0x39];
const [CAPITAL_E, SMALL_E, SMALL_F, SMALL_N, SMALL_T, SMALL_U] = [0x45, 0x65, 0x66, 0x6e, 0x74, 0x75];

const codesOf = (text: string): Set<number> => new Set(Buffer.from(text));
const ESCAPED = codesOf('"\\/bfnrt');
/** Of a string. */
const ASCII = /^[\0-\x7f]*$/;
const HEX = codesOf('0123456789abcdefABCDEF');
const WORDS = new Map([
  [SMALL_T, 'true'],
  [SMALL_F, 'false'],
  [SMALL_N, 'null'],
]);

/**
 * Scans a JSON text once and to its end, and creates values only for wanted members of the outermost object: JSON.parse
 * would make an object of every brace and a table of every name. Reads bytes, because methods of strings are slow once
 * a package has derived a class from `String`. A position only moves forward.
 */
class Scanner {
  private at = 0;
  private depth = 0;
  private readonly members = Object.create(null) as Record<string, unknown>;
  /** A character for each byte. */
  private readonly text: string;

  constructor(
    private readonly bytes: Buffer,
    private readonly wanted: readonly string[] | undefined,
  ) {
    this.text = bytes.toString('latin1');
  }

  scan(): JsonObject {
    const first = this.skipSpace();
    this.value(first);
    this.skipSpace();
    if (this.at !== this.bytes.length) throw malformed();
    if (first !== OPEN_BRACE) throw new JsonObjectError('The request body must be one JSON object.');
    return this.members;
  }

  /** Any value, whose first character is `char`; ends behind it. */
  private value(char: number): void {
    if (char === QUOTE) this.string();
    else if (char === OPEN_BRACE) this.object();
    else if (char === OPEN_BRACKET) this.array();
    else if (char === SMALL_T || char === SMALL_F || char === SMALL_N) this.word(WORDS.get(char) ?? '');
    else this.number();
  }

  private object(): void {
    // Objects of one member need no table.
    let first: string | undefined;
    let names: Set<string> | undefined;
    if (this.enter() === CLOSE_BRACE) this.at++;
    else
      do {
        const name = this.name();
        if (first === undefined) first = name;
        else if ((names ??= new Set([first])).has(name))
          throw new JsonObjectError('A JSON object may not hold the same member name twice.');
        names?.add(name);
        if (this.skipSpace() !== COLON) throw malformed();
        this.at++;
        const char = this.skipSpace();
        const start = this.at;
        this.value(char);
        if (this.depth === 1) this.take(name, char, start);
      } while (this.goesOn(CLOSE_BRACE));
    this.depth--;
  }

  private array(): void {
    if (this.enter() === CLOSE_BRACKET) this.at++;
    else
      do {
        this.value(this.skipSpace());
      } while (this.goesOn(CLOSE_BRACKET));
    this.depth--;
  }

  /** @returns the first character within */
  private enter(): number {
    if (this.depth++ === MAX_DEPTH)
      throw new JsonObjectError(`The request body may be nested at most ${MAX_DEPTH} levels deep.`);
    this.at++;
    return this.skipSpace();
  }

  /** Steps over a comma, or over the closing bracket. @returns whether another one follows */
  private goesOn(close: number): boolean {
    const char = this.skipSpace();
    if (char !== COMMA && char !== close) throw malformed();
    this.at++;
    return char === COMMA;
  }

  /**
   * Reads a member name.
   *
   * @returns in UTF-8, a character a byte, behind a quote: without one V8 would hash names that look like whole numbers by
   * their value, so that a client could let all of them collide
   */
  private name(): string {
    if (this.skipSpace() !== QUOTE) throw malformed();
    const start = this.at;
    const isEscaped = this.string();
    if (!isEscaped) return this.text.slice(start, this.at - 1);
    const name = JSON.parse(this.text.slice(start, this.at)) as string;
    return `"${ASCII.test(name) ? name : this.nameBeyondAscii(start)}`;
  }

  /** A lone surrogate has no UTF-8, and stays as it is: no other name has its character. */
  private nameBeyondAscii(start: number): string {
    const name = JSON.parse(this.bytes.toString('utf8', start, this.at)) as string;
    return name.isWellFormed() ? Buffer.from(name).toString('latin1') : name;
  }

  /** Keeps a member of the outermost object, if it is wanted. */
  private take(quoted: string, first: number, start: number): void {
    const { wanted, bytes, at, members } = this;
    let name = quoted.slice(1);
    if (wanted === undefined) name = name.isWellFormed() ? Buffer.from(name, 'latin1').toString() : name;
    else if (!wanted.includes(name)) return;
    const source = bytes.toString('utf8', start, at);
    if (first === OPEN_BRACE || first === OPEN_BRACKET) members[name] = new JsonText(source);
    else if (first === MINUS || (first >= ZERO && first <= NINE)) members[name] = new JsonNumber(source);
    else members[name] = JSON.parse(source);
  }

  /** Ends behind the closing quote. @returns whether there are escapes in it */
  private string(): boolean {
    const { bytes } = this;
    let isEscaped = false;
    let at = this.at + 1;
    for (let char = bytes[at++]; char !== QUOTE; char = bytes[at++]) {
      // Also at the end of the text.
      if (char === undefined || char < SPACE) throw malformed();
      if (char !== BACKSLASH) continue;
      isEscaped = true;
      const escape = bytes[at++] ?? 0;
      const digits = escape === SMALL_U ? 4 : 0;
      if (digits === 0 && !ESCAPED.has(escape)) throw malformed();
      for (let i = 0; i < digits; i++) if (!HEX.has(bytes[at++] ?? 0)) throw malformed();
    }
    this.at = at;
    return isEscaped;
  }

  private number(): void {
    const { bytes } = this;
    if (bytes[this.at] === MINUS) this.at++;
    if (bytes[this.at] === ZERO) this.at++;
    else this.digits();
    if (bytes[this.at] === DOT) {
      this.at++;
      this.digits();
    }
    if (bytes[this.at] === SMALL_E || bytes[this.at] === CAPITAL_E) {
      const sign = bytes[++this.at];
      if (sign === PLUS || sign === MINUS) this.at++;
      this.digits();
    }
  }

  /** One or more. */
  private digits(): void {
    const { bytes, at: start } = this;
    let at = start;
    for (let char = bytes[at] ?? 0; char >= ZERO && char <= NINE; char = bytes[at] ?? 0) at++;
    if (at === start) throw malformed();
    this.at = at;
  }

  private word(word: string): void {
    if (!this.text.startsWith(word, this.at)) throw malformed();
    this.at += word.length;
  }

  /** @returns the first character that is no space, 0 at the end; stays in front of it */
  private skipSpace(): number {
    const { bytes } = this;
    let { at } = this;
    let char = bytes[at] ?? 0;
    while (char === SPACE || char === LINE_FEED || char === RETURN || char === TAB) char = bytes[++at] ?? 0;
    this.at = at;
    return char;
  }
}

function malformed(): JsonObjectError {
  return new JsonObjectError('The request body must be well-formed JSON.');
}
