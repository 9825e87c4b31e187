import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { type RequestPlace, RequestPlaces } from './request-places.js';

interface Open {
  readonly place: RequestPlace;
  readonly response: ServerResponse;
  readonly address: string;
  keyId: string | undefined;
  taken: boolean;
}

function open(places: RequestPlaces, address: string): Open {
  const request = {} as IncomingMessage;
  const response = Object.assign(new EventEmitter(), { req: request }) as unknown as ServerResponse;
  return {
    place: places.reserve(request, response, address),
    response,
    address,
    keyId: undefined,
    taken: false,
  };
}

const id = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), id }),
  fc.record({ kind: fc.constant('take' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('key' as const), at: fc.nat(), id }),
  fc.record({ kind: fc.constant('wait' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('close' as const), at: fc.nat() }),
);

describe('the places for requests', () => {
  it('are never more than there are, nor more than a quarter for one, and all come back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 100 }), (most, steps) => {
        const places = new RequestPlaces(most);
        const share = Math.ceil(most / 4);
        const all: Open[] = [];
        const count = (of: (each: Open) => boolean): number =>
          all.filter((each) => each.taken && of(each)).length;
        for (const each of steps) {
          if (each.kind === 'open') {
            all.push(open(places, each.id));
            continue;
          }
          const one = all[each.at % (all.length || 1)];
          if (one === undefined) continue;
          if (each.kind === 'take') one.taken = one.place.take();
          else if (each.kind === 'wait') {
            one.place.wait();
            expect(one.place.isWaiting).toBe(one.taken || one.place.isWaiting);
            one.taken = false;
          } else if (each.kind === 'close') {
            one.response.emit('close');
            all.splice(all.indexOf(one), 1);
          } else if (one.keyId === undefined && one.place.countFor(each.id)) one.keyId = each.id;
          expect(places.taken).toBe(count(() => true));
          expect(places.taken).toBeLessThanOrEqual(most);
          for (const name of ['a', 'b', 'c']) {
            for (const hasKey of [true, false]) {
              const ofAddress = count((one) => one.address === name && (one.keyId !== undefined) === hasKey);
              expect(ofAddress).toBeLessThanOrEqual(share);
            }
            expect(count(({ keyId }) => keyId === name)).toBeLessThanOrEqual(share);
          }
        }
        for (const { response } of all) response.emit('close');
        expect(places.taken).toBe(0);
        for (const name of ['a', 'b', 'c']) {
          for (const shares of [places.addresses, places.addressesWithKey, places.keys]) {
            expect(shares.isUsed(name)).toBe(false);
          }
        }
      }),
    );
  });

  it('are counted for the key alone once it is accepted, and given up while it is waited for', () => {
    const places = new RequestPlaces(4);
    const first = open(places, 'a');
    expect(first.place.take()).toBe(true);
    expect(open(places, 'a').place.take()).toBe(false);
    first.place.wait();
    expect([places.taken, first.place.isWaiting]).toEqual([0, true]);
    expect(first.place.countFor('k')).toBe(true);
    expect(first.place.take()).toBe(true);
    expect(first.place.isWaiting).toBe(false);
    expect(open(places, 'a').place.take()).toBe(true);
    first.response.emit('close');
    expect(places.taken).toBe(1);
  });

  it('are given back once, and not taken again after that', () => {
    const places = new RequestPlaces(4);
    const { place, response } = open(places, 'a');
    expect(place.take()).toBe(true);
    response.emit('close');
    place.giveBack();
    expect(place.take()).toBe(false);
    expect(place.countFor('k')).toBe(false);
    expect(places.taken).toBe(0);
  });
});
