import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RequestSlot, RequestSlots } from './load-shedder.js';

interface Open {
  readonly slot: RequestSlot;
  readonly address: string;
  keyId: string | undefined;
  taken: boolean;
}

function open(slots: RequestSlots, address: string): Open {
  return { slot: slots.reserve(address), address, keyId: undefined, taken: false };
}

const id = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), id }),
  fc.record({ kind: fc.constant('take' as const), at: fc.nat(), id: fc.option(id, { nil: undefined }) }),
  fc.record({ kind: fc.constant('release' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('close' as const), at: fc.nat() }),
);

describe('the slots for requests', () => {
  it('are never more than there are, nor more than a quarter for one, and all come back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 100 }), (most, steps) => {
        const slots = new RequestSlots(most);
        const share = Math.ceil(most / 4);
        const all: Open[] = [];
        const count = (of: (each: Open) => boolean): number =>
          all.filter((each) => each.taken && of(each)).length;
        for (const each of steps) {
          if (each.kind === 'open') {
            all.push(open(slots, each.id));
            continue;
          }
          const one = all[each.at % (all.length || 1)];
          if (one === undefined) continue;
          if (each.kind === 'take') {
            if (!one.taken) one.keyId = each.id ?? one.keyId;
            one.taken = each.id === undefined ? one.slot.acquire() : one.slot.begin(each.id, {}, false);
          } else if (each.kind === 'release') {
            one.slot.awaitBody(true);
            one.taken = false;
          } else {
            one.slot.close();
            all.splice(all.indexOf(one), 1);
          }
          expect(slots.taken).toBe(count(() => true));
          expect(slots.taken).toBeLessThanOrEqual(most);
          for (const name of ['a', 'b', 'c']) {
            expect(count(({ address }) => address === name)).toBeLessThanOrEqual(share);
            expect(count(({ keyId }) => keyId === name)).toBeLessThanOrEqual(share);
          }
        }
        for (const { slot } of all) slot.close();
        expect(slots.taken).toBe(0);
        for (const name of ['a', 'b', 'c']) {
          expect([slots.addresses.isUsed(name), slots.keys.isUsed(name)]).toEqual([false, false]);
        }
      }),
    );
  });

  it('remember no address that has none', () => {
    const slots = new RequestSlots(4);
    const staying = open(slots, 'staying');
    expect(staying.slot.acquire()).toBe(true);
    for (let client = 0; client < 100; client++) {
      const { slot } = open(slots, `client ${client}`);
      expect(slot.acquire()).toBe(true);
      slot.close();
      // They are given back once, and not taken again after that.
      slot.close();
      expect(slot.acquire()).toBe(false);
      expect([slots.taken, slots.addresses.size]).toEqual([1, 1]);
    }
    expect(slots.addresses.isUsed('staying')).toBe(true);
  });
});
