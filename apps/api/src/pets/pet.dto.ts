import { Documented } from '@petstore/http-kernel';
import type { NewPet, PetPatch } from '@petstore/pet-domain';
import { BodyProperty } from '../operations/body-property.decorator.js';
import { PET_PROPERTIES, type PetProperty, type SwaggerProperty } from './pet.properties.js';

const properties = Object.entries<PetProperty<unknown>>(PET_PROPERTIES);
const givenProperties = properties.flatMap(([name, { documented, given }]) =>
  given === undefined ? [] : [{ name, documented: given.documented ?? documented, given }],
);

/** The body of a creation as it arrived (specification, section 2, NewPet): its members are those of the table. */
@Documented(({ ApiSchema }) => ApiSchema({ name: 'NewPet', description: 'An animal to be added.' }))
export class NewPetDto {
  /** What a valid body asks for. */
  static toNewPet(dto: NewPetDto): NewPet {
    const pet: Record<string, unknown> = {};
    for (const { name, given } of givenProperties) {
      const json: unknown = Reflect.get(dto, name);
      pet[name] = json === undefined ? given.default : given.parse(json);
    }
    return pet as unknown as NewPet;
  }
}
for (const { name, documented, given } of givenProperties) {
  const rule = { ...given, isOptional: given.default !== undefined };
  BodyProperty(name, withDefaultInWords(documented, given.default), rule)(NewPetDto.prototype, name);
}

/** Not as `default`: generators take that for a promise that the member is always there, and demand it. */
function withDefaultInWords(documented: SwaggerProperty, value: unknown): SwaggerProperty {
  if (value === undefined) return documented;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const description = `${documented.description ?? ''} When it is left out, it is \`${text}\`.`;
  return { ...documented, description };
}

/** The body of a change as it arrived (docs/contract.md, "Changing an animal"): nothing is required, nothing has a default. */
@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'PetPatch', description: 'What is to change of an animal; the rest stays as it is.' }),
)
export class PetPatchDto {
  /** What a valid body asks for. */
  static toPatch(dto: PetPatchDto): PetPatch {
    const given = givenProperties.map(({ name, given: { parse } }) => [name, parse(Reflect.get(dto, name))]);
    return Object.fromEntries(given) as PetPatch;
  }
}
for (const { name, documented, given } of givenProperties) {
  // In a merge patch `null` removes a member (RFC 7396), and an animal always has all of them.
  const rule = { ...given, isOptional: true, refusalOfNull: 'cannot be removed' };
  BodyProperty(name, documented, rule)(PetPatchDto.prototype, name);
}

/** An animal as it is answered (specification, section 2, Pet). Documents `petJson`. */
@Documented(({ ApiSchema }) => ApiSchema({ name: 'Pet', description: 'An animal available for adoption.' }))
export class PetDto {}
for (const [name, { documented }] of properties) {
  Documented(({ ApiProperty }) => ApiProperty(documented))(PetDto.prototype, name);
}
