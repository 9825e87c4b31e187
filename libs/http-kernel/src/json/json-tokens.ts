import { JsonObjectError } from './json-object.error.js';
import { hexAt } from './json-string.js';

const [QUOTE, BACKSLASH, FIRST_PRINTABLE] = [0x22, 0x5c, 0x20];
const [MINUS, PLUS, DOT] = [0x2d, 0x2b, 0x2e];
const [ZERO, NINE] = [0x30, 0x39];
const [SMALL_E, CAPITAL_E, SMALL_U] = [0x65, 0x45, 0x75];

const ESCAPED = new Set(Array.from('"\\/bfnrt', (char) => char.charCodeAt(0)));

/** Steps over the tokens of a JSON text (RFC 8259), and checks each. A position only ever moves forward. */
export abstract class JsonTokens {
  protected at = 0;

  constructor(protected readonly text: string) {}

  /** Ends behind the closing quote. @returns whether there are escapes in it */
  protected string(): boolean {
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
          if (hexAt(text, at) < 0) throw JsonObjectError.malformed();
          at += 4;
        } else if (!ESCAPED.has(escape)) throw JsonObjectError.malformed();
        // Written so that it also holds at the end of the text, where the code is NaN.
      } else if (!(char >= FIRST_PRINTABLE)) throw JsonObjectError.malformed();
    }
    this.at = at;
    return isEscaped;
  }

  protected number(): void {
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
    if (at === start) throw JsonObjectError.malformed();
    this.at = at;
  }

  protected word(word: string): void {
    if (!this.text.startsWith(word, this.at)) throw JsonObjectError.malformed();
    this.at += word.length;
  }

  /** @returns the first character that is no space, NaN at the end; stays in front of it */
  protected skipSpace(): number {
    const { text } = this;
    let at = this.at;
    let char = text.charCodeAt(at);
    if (char > 0x20) return char;
    while (char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09) char = text.charCodeAt(++at);
    this.at = at;
    return char;
  }
}
