import { describe, expect, it } from '@jest/globals';
import { InvalidStatusTransitionError } from './invalid-status-transition.error.js';
import { PetStatus } from './pet-status.js';
import {
  checkedTransitions,
  isAllowedTransition,
  STATUS_TRANSITIONS,
  type StatusTransitions,
  targetsOf,
} from './pet-status-transitions.js';

describe('a change of the status by hand', () => {
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
    expect(targetsOf(from).includes(to)).toBe(allowed && from !== to);
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

describe('the table of status transitions', () => {
  const refused = { refused: 'no' };

  it('says something about every pair and about nothing else', () => {
    expect(checkedTransitions(STATUS_TRANSITIONS)).toBe(STATUS_TRANSITIONS);
    for (const from of PetStatus.ALL) {
      const others = PetStatus.ALL.filter((to) => to !== from);
      expect(Object.keys(STATUS_TRANSITIONS[from]).sort()).toEqual([...others].sort());
    }
  });

  it.each<[what: string, table: object, message: string]>([
    ['lacks a status', { pending: undefined }, 'does not say everything about pending'],
    ['lacks a pair', { sold: { available: { meaning: 'x' } } }, 'does not say everything about sold'],
    [
      'names an unknown status',
      { sold: { ...STATUS_TRANSITIONS.sold, lost: refused } },
      'does not say everything about sold',
    ],
    [
      'names an unknown status in the place of one',
      { sold: { available: { meaning: 'x' }, lost: refused } },
      'does not say everything about sold',
    ],
    [
      'says that a status stays what it is',
      { sold: { ...STATUS_TRANSITIONS.sold, sold: { meaning: 'x' } } },
      'does not say everything about sold',
    ],
    [
      'has a status that is never left',
      { sold: { available: refused, pending: refused } },
      'sold can never be left',
    ],
    [
      'has a status that nothing becomes',
      { available: { pending: refused, sold: { meaning: 'x' } } },
      'nothing ever becomes pending',
    ],
  ])('is refused when it %s', (_what, change, message) => {
    const table = { ...STATUS_TRANSITIONS, ...change } as StatusTransitions;
    expect(() => checkedTransitions(table)).toThrow(message);
  });
});
