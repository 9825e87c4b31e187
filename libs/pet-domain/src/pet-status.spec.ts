import { describe, expect, it } from '@jest/globals';
import { PetStatus } from './pet-status.js';

describe('PetStatus', () => {
  it('has exactly the three words of the specification', () => {
    expect(PetStatus.ALL).toEqual(['available', 'pending', 'sold']);
  });

  it.each(PetStatus.ALL)('reads %s', (word) => {
    expect(PetStatus.parse(word)).toBe(word);
  });

  it.each(['', 'Available', 'SOLD', ' sold', 'sold ', 'adopted', 'constructor', '__proto__'])(
    'refuses %j',
    (word) => {
      expect(PetStatus.parse(word)).toBeUndefined();
    },
  );
});
