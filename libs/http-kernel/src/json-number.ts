/** Digits, fraction and exponent of a JSON number (RFC 8259, section 6), without its sign. */
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** More digits than any int64 has; longer ones need not be counted out. */
const INT64_DIGITS = 19;

/** A number exactly as it stood in a JSON text. Doubles would lose int64 values beyond 2^53. */
export class JsonNumber {
  constructor(readonly source: string) {}

  /**
   * The plain decimal digits of this number when its value is a whole number from 0 up that is not
   * longer than an int64, else `undefined`. The value counts, not the spelling: `1.0`, `1e0` and
   * `10e-1` are all `1`; `1e400` is not worked out.
   */
  toDigits(): string | undefined {
    const [, sign, whole = '', fraction = '', exponent = '0'] = PARTS.exec(this.source) ?? [];
    const digits = (whole + fraction).replace(/^0+/, '');
    if (digits === '') return '0';
    if (sign === '-') return undefined;
    const significant = digits.replace(/0+$/, '');
    // value = significant * 10^zeros
    const zeros = Number(exponent) - fraction.length + (digits.length - significant.length);
    if (zeros < 0 || significant.length + zeros > INT64_DIGITS) return undefined;
    return significant + '0'.repeat(zeros);
  }
}
