import { describe, expect, it } from '@jest/globals';
import { InvalidStatusTransitionError, isAllowedTransition, PetStatus } from './pet-status.js';

describe('PetStatus', () => {
  it('has exactly the three values of the contract', () => {
    expect(PetStatus.ALL).toEqual(['available', 'pending', 'sold']);
  });
});

describe('a change of the status by updatePet', () => {
  it.each<[from: PetStatus, to: PetStatus, allowed: boolean]>([
    ['available', 'available', true],
    ['available', 'pending', true],
    ['available', 'sold', true],
    ['pending', 'available', true],
    ['pending', 'pending', true],
    ['pending', 'sold', true],
    ['sold', 'available', true],
    ['sold', 'pending', false],
    ['sold', 'sold', true],
  ])('from %s to %s: %s', (from, to, allowed) => {
    expect(isAllowedTransition(from, to)).toBe(allowed);
  });

  it('that is refused names what is possible', () => {
    expect(new InvalidStatusTransitionError('sold', 'pending')).toMatchObject({
      name: 'InvalidStatusTransitionError',
      from: 'sold',
      to: 'pending',
      message: 'The status cannot change from sold to pending; from sold it can become available.',
    });
    expect(new InvalidStatusTransitionError('available', 'pending').message).toContain('pending or sold');
  });
});
