import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { ApiError, CompiledDto, JsonNumber } from '@petstore/http-server';
import { ListPetsQuery, NewPetDto, PetPatchDto } from '../src/pets/pet.dto.js';
import { ListEventsQuery } from '../src/events/event.dto.js';
import { GetInventoryQuery } from '../src/inventory/inventory.dto.js';

const anything = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    ' ',
    'Rex',
    'available',
    'sold',
    '20',
    '100',
    '101',
    '0',
    'latest',
    'pet',
    ['20', '20'],
    {},
  ),
  fc.bigInt({ min: -10n, max: 2n ** 64n }).map((value) => new JsonNumber(value.toString())),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.anything(),
);

function isValid(dto: CompiledDto, values: Record<string, unknown>): boolean {
  try {
    dto.parse(values, 'bad_request');
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

describe('the checks of the DTOs', () => {
  it.each([
    [NewPetDto, ['name', 'categoryId', 'status']],
    [PetPatchDto, ['name', 'categoryId', 'status']],
    [ListPetsQuery, ['limit', 'status', 'categoryId', 'ids', 'cursor']],
    [ListEventsQuery, ['after', 'limit', 'resource']],
    [GetInventoryQuery, ['categoryId']],
  ])('knows the properties of %p', (dto: new () => object, names) => {
    expect([...new CompiledDto(dto).names].sort()).toEqual([...names].sort());
  });

  it.each([[NewPetDto], [PetPatchDto], [ListPetsQuery], [ListEventsQuery], [GetInventoryQuery]])(
    'finds %p valid exactly when class-validator does',
    (dto: new () => object) => {
      const checks = new CompiledDto(dto);
      const properties = Object.fromEntries(checks.names.map((name) => [name, anything]));
      fc.assert(
        fc.property(fc.record(properties, { requiredKeys: [] }), (values) => {
          const instance = Object.assign(Object.create(dto.prototype as object) as object, values);
          expect(isValid(checks, values)).toBe(validateSync(instance).length === 0);
        }),
        { numRuns: 500 },
      );
    },
  );
});
