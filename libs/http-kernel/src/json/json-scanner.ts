import { MemberNames } from './member-names.js';
import { JsonNumber } from './json-number.js';

/** Deepest nesting of objects and arrays; far more than any client needs, far less than a stack holds. */
export const MAX_JSON_DEPTH = 64;

/** A JSON text that is not what the contract asks for. */
export class JsonObjectError extends Error {
  override readonly name = 'JsonObjectError';
}

/** An object or array within a JSON object, as its text: known to be well-formed, but not made into a value. */
export class JsonText {
  constructor(readonly source: string) {}
}

/** Takes a member of the outermost object. */
export type TakeMember = (name: string, value: unknown) => void;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON, MINUS, PLUS, DOT] = [0x2c, 0x3a, 0x2d, 0x2b, 0x2e];
const [ZERO, NINE] = [0x30, 0x39];
const [SMALL_E, CAPITAL_E, SMALL_U] = [0x65, 0x45, 0x75];
const [SMALL_A, SMALL_F, SMALL_N, SMALL_T] = [0x61, 0x66, 0x6e, 0x74];

const ESCAPED = new Set(Array.from('"\\/bfnrt', (char) => char.charCodeAt(0)));

/**
 * Walks a JSON text once (RFC 8259), checks it to its end, and makes values of nothing but those members of
 * the outermost object that are wanted. What is not looked at later costs no more than its characters:
 * JSON.parse would make an object of every brace and a table of every name.
 */
export class JsonScanner {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    /** Names of the wanted members; all of them when `undefined`. */
    private readonly wanted: readonly string[] | undefined,
    private readonly take: TakeMember,
  ) {}

  /**
   * Reads the whole text.
   * @returns whether it is an object
   * @throws JsonObjectError when it is not well-formed, holds a name twice in one object, or is nested too deep
   */
  scan(): boolean {
    const first = this.skipSpace();
    this.value(first);
    this.skipSpace();
    if (this.at !== this.text.length) throw malformed();
    return first === OPEN_BRACE;
  }

  /** Any value, whose first character is `char`; ends behind it. */
  private value(char: number): void {
    switch (char) {
      case OPEN_BRACE:
        this.object();
        break;
      case OPEN_BRACKET:
        this.array();
        break;
      case QUOTE:
        this.string();
        break;
      case SMALL_T:
        this.word('true');
        break;
      case SMALL_F:
        this.word('false');
        break;
      case SMALL_N:
        this.word('null');
        break;
      default:
        this.number();
    }
  }

  private object(): void {
    this.enter();
    const isOutermost = this.depth === 1;
    let char = this.skipSpace();
    if (char === CLOSE_BRACE) {
      this.leave();
      return;
    }
    let names: MemberNames | undefined;
    let firstStart = -1;
    let firstEnd = 0;
    let firstName: string | undefined;
    for (;;) {
      if (char !== QUOTE) throw malformed();
      const start = this.at + 1;
      const name = this.string() ? unescaped(this.text.slice(start - 1, this.at)) : undefined;
      const end = this.at - 1;
      if (firstStart < 0) {
        // Objects of one member need no table.
        firstStart = start;
        firstEnd = end;
        firstName = name;
      } else if (
        !(names ??= new MemberNames(this.text, firstStart, firstEnd, firstName)).add(start, end, name)
      ) {
        throw new JsonObjectError('A JSON object may not hold the same member name twice.');
      }
      if (this.skipSpace() !== COLON) throw malformed();
      this.at++;
      char = this.skipSpace();
      const valueAt = this.at;
      this.value(char);
      if (isOutermost) this.offer(name, start, end, char, valueAt);
      char = this.skipSpace();
      if (char === CLOSE_BRACE) break;
      if (char !== COMMA) throw malformed();
      this.at++;
      char = this.skipSpace();
    }
    this.leave();
  }

  private array(): void {
    this.enter();
    let char = this.skipSpace();
    if (char === CLOSE_BRACKET) {
      this.leave();
      return;
    }
    for (;;) {
      this.value(char);
      char = this.skipSpace();
      if (char === CLOSE_BRACKET) break;
      if (char !== COMMA) throw malformed();
      this.at++;
      char = this.skipSpace();
    }
    this.leave();
  }

  /** Ends behind the closing quote. @returns whether there are escapes in it */
  private string(): boolean {
    const { text } = this;
    let isEscaped = false;
    let at = this.at + 1;
    for (;;) {
      const char = text.charCodeAt(at++);
      if (char === QUOTE) break;
      if (char === BACKSLASH) {
        isEscaped = true;
        const escape = text.charCodeAt(at++);
        if (escape === SMALL_U) {
          if (hexAt(text, at) < 0) throw malformed();
          at += 4;
        } else if (!ESCAPED.has(escape)) throw malformed();
        // Written so that it also holds at the end of the text, where the code is NaN.
      } else if (!(char >= FIRST_PRINTABLE)) throw malformed();
    }
    this.at = at;
    return isEscaped;
  }

  private number(): void {
    const { text } = this;
    if (text.charCodeAt(this.at) === MINUS) this.at++;
    if (text.charCodeAt(this.at) === ZERO) this.at++;
    else this.digits();
    if (text.charCodeAt(this.at) === DOT) {
      this.at++;
      this.digits();
    }
    const char = text.charCodeAt(this.at);
    if (char === SMALL_E || char === CAPITAL_E) {
      const sign = text.charCodeAt(++this.at);
      if (sign === PLUS || sign === MINUS) this.at++;
      this.digits();
    }
  }

  /** One or more. */
  private digits(): void {
    const { text } = this;
    const start = this.at;
    let at = start;
    for (let char = text.charCodeAt(at); char >= ZERO && char <= NINE; char = text.charCodeAt(at)) at++;
    if (at === start) throw malformed();
    this.at = at;
  }

  private word(word: string): void {
    if (!this.text.startsWith(word, this.at)) throw malformed();
    this.at += word.length;
  }

  /** @returns the first character that is no space, NaN at the end; stays in front of it */
  private skipSpace(): number {
    const { text } = this;
    let at = this.at;
    let char = text.charCodeAt(at);
    if (char > 0x20) return char;
    while (char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09) char = text.charCodeAt(++at);
    this.at = at;
    return char;
  }

  private enter(): void {
    if (this.depth === MAX_JSON_DEPTH) {
      throw new JsonObjectError(`The request body may be nested at most ${MAX_JSON_DEPTH} levels deep.`);
    }
    this.depth++;
    this.at++;
  }

  private leave(): void {
    this.depth--;
    this.at++;
  }

  /** Gives away the member whose value has just been read, if it is wanted. */
  private offer(
    unescaped: string | undefined,
    start: number,
    end: number,
    first: number,
    valueAt: number,
  ): void {
    const name = unescaped ?? this.wantedAt(start, end);
    if (name === undefined || this.wanted?.includes(name) === false) return;
    const source = this.text.slice(valueAt, this.at);
    if (first === OPEN_BRACE || first === OPEN_BRACKET) this.take(name, new JsonText(source));
    else if (first === MINUS || (first >= ZERO && first <= NINE)) this.take(name, new JsonNumber(source));
    else this.take(name, JSON.parse(source));
  }

  /** The name that stands there, if it may be wanted. */
  private wantedAt(start: number, end: number): string | undefined {
    const { text, wanted } = this;
    if (wanted === undefined) return text.slice(start, end);
    return wanted.find((name) => name.length === end - start && text.startsWith(name, start));
  }
}

function malformed(): JsonObjectError {
  return new JsonObjectError('The request body must be well-formed JSON.');
}

/** The number that four hexadecimal digits stand for; below 0 where there are none. */
function hexAt(text: string, at: number): number {
  let value = 0;
  for (let i = at; i < at + 4; i++) {
    const char = text.charCodeAt(i);
    const small = char | 0x20;
    if (char >= ZERO && char <= NINE) value = 16 * value + char - ZERO;
    else if (small >= SMALL_A && small <= SMALL_F) value = 16 * value + small - SMALL_A + 10;
    else return -1;
  }
  return value;
}

/** From this length on the engine's own reader is faster than ours. */
const SHORT = 64;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** What a string literal stands for, which is known to be well-formed. */
function unescaped(literal: string): string {
  if (literal.length > SHORT) return JSON.parse(literal) as string;
  let text = '';
  let from = 1;
  for (let at = literal.indexOf('\\'); at >= 0; at = literal.indexOf('\\', from)) {
    text += literal.slice(from, at);
    const escape = literal.charAt(at + 1);
    if (escape === 'u') {
      text += String.fromCharCode(hexAt(literal, at + 2));
      from = at + 6;
    } else {
      text += SIMPLE_ESCAPES[escape] ?? escape;
      from = at + 2;
    }
  }
  return text + literal.slice(from, -1);
}
