import { JsonNumber } from './json-number.js';
import { JsonObjectError, MAX_JSON_DEPTH } from './json-object.error.js';
import { unescaped } from './json-string.js';
import { JsonText } from './json-text.js';
import { JsonTokens } from './json-tokens.js';
import { MemberNames } from './member-names.js';

/** Takes a member of the outermost object. */
export type TakeMember = (name: string, value: unknown) => void;

const QUOTE = 0x22;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON, MINUS] = [0x2c, 0x3a, 0x2d];
const [ZERO, NINE] = [0x30, 0x39];
const [SMALL_F, SMALL_N, SMALL_T] = [0x66, 0x6e, 0x74];

/**
 * Walks a JSON text once (RFC 8259), checks it to its end, and makes values of nothing but those members of
 * the outermost object that are wanted. What is not looked at later costs no more than its characters:
 * JSON.parse would make an object of every brace and a table of every name.
 */
export class JsonScanner extends JsonTokens {
  private depth = 0;

  constructor(
    text: string,
    /** Names of the wanted members; all of them when `undefined`. */
    private readonly wanted: readonly string[] | undefined,
    private readonly take: TakeMember,
  ) {
    super(text);
  }

  /**
   * Reads the whole text.
   * @returns whether it is an object
   * @throws JsonObjectError when it is not well-formed, holds a name twice in one object, or is nested too deep
   */
  scan(): boolean {
    const first = this.skipSpace();
    this.value(first);
    this.skipSpace();
    if (this.at !== this.text.length) throw JsonObjectError.malformed();
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
      if (char !== QUOTE) throw JsonObjectError.malformed();
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
        throw JsonObjectError.repeatedName();
      }
      if (this.skipSpace() !== COLON) throw JsonObjectError.malformed();
      this.at++;
      char = this.skipSpace();
      const valueAt = this.at;
      this.value(char);
      if (isOutermost) this.offer(name, start, end, char, valueAt);
      char = this.skipSpace();
      if (char === CLOSE_BRACE) break;
      if (char !== COMMA) throw JsonObjectError.malformed();
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
      if (char !== COMMA) throw JsonObjectError.malformed();
      this.at++;
      char = this.skipSpace();
    }
    this.leave();
  }

  private enter(): void {
    if (this.depth === MAX_JSON_DEPTH) {
      throw JsonObjectError.tooDeep();
    }
    this.depth++;
    this.at++;
  }

  private leave(): void {
    this.depth--;
    this.at++;
  }

  /** Reports the member whose value has just been read, if it is wanted. */
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
