import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ListPlace, OrderedList } from './ordered-list.js';

describe('an ordered list', () => {
  it('has the members and the order that a Set has after the same additions and removals', () => {
    const step = fc.record({ member: fc.nat(5), isAdded: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const list = new OrderedList<number>();
        const set = new Set<number>();
        const places = Array.from({ length: 6 }, (_, member) => new ListPlace(member));
        for (const { member, isAdded } of steps) {
          const place = places.find((each) => each.member === member) ?? new ListPlace(member);
          if (isAdded) {
            list.add(place);
            set.add(member);
          } else {
            list.remove(place);
            set.delete(member);
          }
          expect([...list]).toEqual([...set]);
        }
      }),
    );
  });

  it('leaves a place in another list as it is', () => {
    const [one, other] = [new OrderedList<string>(), new OrderedList<string>()];
    const place = new ListPlace('member');
    one.add(place);
    other.add(place);
    other.remove(place);
    expect([[...one], [...other]]).toEqual([['member'], []]);
  });

  it('keeps nothing of a member that is removed', () => {
    const list = new OrderedList<string>();
    const places = ['first', 'second', 'third'].map((member) => new ListPlace(member));
    for (const place of places) list.add(place);
    for (const place of places) list.remove(place);
    for (const { list: its, previous, next } of places)
      expect([its, previous, next]).toEqual([undefined, undefined, undefined]);
  });
});
