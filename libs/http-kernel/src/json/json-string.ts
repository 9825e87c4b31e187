const [ZERO, NINE, SMALL_A, SMALL_F] = [0x30, 0x39, 0x61, 0x66];

/** The number that four hexadecimal digits stand for; below 0 where there are none. */
export function hexAt(text: string, at: number): number {
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
export function unescaped(literal: string): string {
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
