/** Digits, fraction and exponent of a JSON number (RFC 8259, section 6), without its sign. */
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** More digits than any int64 has; longer ones need not be counted out. */
const INT64_DIGITS = 19;

const ZERO = 0x30;

/** A number as written in a JSON text. Doubles would lose int64 values beyond 2^53. */
export class JsonNumber {
  constructor(readonly source: string) {}

  /**
   * The plain decimal digits of this number when its value is a whole number from 0 up that is not
   * longer than an int64, else `undefined`. The value counts, not the spelling: `1.0`, `1e0` and
   * `10e-1` are all `1`; `1e400` is not worked out.
   *
   * Takes time proportional to the length of the source, whatever it holds.
   */
  toDigits(): string | undefined {
    const [, sign, whole = '', fraction = '', exponent = '0'] = PARTS.exec(this.source) ?? [];
    const digits = whole + fraction;
    // A loop, because /0+$/ takes quadratic time on a run of zeros.
    let start = 0;
    while (digits.charCodeAt(start) === ZERO) start++;
    if (start === digits.length) return '0';
    if (sign === '-') return undefined;
    let end = digits.length;
    while (digits.charCodeAt(end - 1) === ZERO) end--;
    // value = significant digits * 10^zeros
    const zeros = Number(exponent) - fraction.length + (digits.length - end);
    if (zeros < 0 || end - start + zeros > INT64_DIGITS) return undefined;
    return digits.slice(start, end) + '0'.repeat(zeros);
  }
}
