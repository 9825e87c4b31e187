import { describe, expect, it } from '@jest/globals';
import { keptToken } from './kept-token.js';

describe('what is kept of a token', () => {
  it.each(['t', '3b241101-e2bb-4255-8caf-4136c566a962', 'x'.repeat(43)])('is the token: %s', (token) => {
    expect(keptToken(token)).toBe(token);
  });

  it('is of one length for longer ones, another for each, and never a token that is kept as it is', () => {
    const kept = [44, 50, 51, 255].map((length) => keptToken('x'.repeat(length)));
    expect(new Set(kept).size).toBe(4);
    for (const one of kept) {
      expect(one).toHaveLength(50);
      expect(keptToken(one)).not.toBe(one);
    }
  });
});
