import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PetEvent } from './pet-event.js';
import { petJson } from './pet-json.js';
import { patchPet } from './pet-patch.js';
import { isAllowedTransition } from './pet-status-transitions.js';
import { anyPatch, anyPet } from './testing/any-pet.js';

/** A JSON text with its int64 members as strings of their digits: names are escaped, so that none looks like one. */
const parsed = (json: string): unknown => JSON.parse(json.replace(/"(id|categoryId)":(\d+)/g, '"$1":"$2"'));

describe('PetEvent', () => {
  it('of a change holds the animal as it is now and the old values of what was changed', () => {
    fc.assert(
      fc.property(anyPet, anyPatch, (before, patch) => {
        fc.pre(isAllowedTransition(before.status, patch.status ?? before.status));
        const after = patchPet(before, patch);
        const { type, data } = PetEvent.updated(before, after);
        const event = parsed(data) as { pet: object; previous: object };
        expect(type).toBe('pet.updated');
        expect(data).toContain(`{"pet":${petJson(after)},"previous":{`);
        expect(event.pet).toEqual(after);
        expect({ ...event.pet, ...event.previous }).toEqual(before);
        for (const [member, old] of Object.entries(event.previous))
          expect(old).not.toBe(after[member as keyof typeof after]);
      }),
    );
  });

  it('of a removal holds the last state', () => {
    fc.assert(
      fc.property(anyPet, (pet) => {
        expect(PetEvent.deleted(pet)).toEqual({ type: 'pet.deleted', data: `{"pet":${petJson(pet)}}` });
      }),
    );
  });
});
