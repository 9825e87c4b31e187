import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { petJson } from './pet.js';
import { PetEvent } from './pet-event.js';
import { isAllowedTransition } from './pet-status.js';
import { anyPatch, anyPet } from './testing/any-pet.js';

/** A JSON text with its int64 members as strings of their digits: names are escaped, so that none looks like one. */
const parsed = (json: string): unknown => JSON.parse(json.replace(/"(id|categoryId)":(\d+)/g, '"$1":"$2"'));

it('the event of a change holds the pet as it is now and the old values of what was changed', () => {
  fc.assert(
    fc.property(anyPet, anyPatch, (pet, patch) => {
      fc.pre(isAllowedTransition(pet.status, patch.status ?? pet.status));
      const before = structuredClone(pet);
      const previous = pet.patch(patch) ?? {};
      fc.pre(Object.keys(previous).length > 0);
      const { type, data } = PetEvent.updated(pet, previous);
      const event = parsed(data) as { pet: object; previous: object };
      expect(type).toBe('pet.updated');
      expect(event.pet).toEqual(pet);
      expect(event.previous).toEqual(previous);
      expect({ ...event.pet, ...event.previous }).toEqual(before);
    }),
  );
});

it('events of a creation and of a removal hold the pet', () => {
  fc.assert(
    fc.property(anyPet, (pet) => {
      const data = `{"pet":${petJson(pet)}}`;
      expect(PetEvent.created(pet)).toEqual({ type: 'pet.created', data });
      expect(PetEvent.deleted(pet)).toEqual({ type: 'pet.deleted', data });
    }),
  );
});
