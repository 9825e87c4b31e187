import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemberNames } from './member-names.js';

describe('MemberNames', () => {
  it('finds the names that a Set would find, escaped or not', () => {
    const name = fc.record({
      text: fc.oneof(fc.stringMatching(/^[ab]{0,4}$/), fc.nat(400).map(String)),
      isEscaped: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 300 }), (names) => {
        const text = names.map(({ text }) => text).join('"');
        const seen = new Set<string>();
        let table: MemberNames | undefined;
        let at = 0;
        for (const { text: plain, isEscaped } of names) {
          const given = [at, at + plain.length, isEscaped ? plain : undefined] as const;
          if (table === undefined) table = new MemberNames(text, ...given);
          else expect(table.add(...given)).toBe(!seen.has(plain));
          seen.add(plain);
          at += plain.length + 1;
        }
      }),
    );
  });
});
