import { JsonNumber, type Swagger } from '@petstore/http-kernel';
import { CategoryId, type NewPet, type PetState, PetName, PetStatus } from '@petstore/pet-domain';
import { FREE_TEXT_INPUT_SCHEMA, FREE_TEXT_RULE, FREE_TEXT_SCHEMA } from '../operations/free-text.schema.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';

export type SwaggerProperty = NonNullable<Parameters<Swagger['ApiProperty']>[0]>;

/** How a body may give a property, for those that the service does not assign. */
export interface GivenProperty<Value> {
  /** What the document says of it, where that is not what it says of answers. */
  readonly documented?: SwaggerProperty;
  /** The value that a JSON value stands for; `undefined` when it is not allowed. */
  readonly parse: (json: unknown) => Value | undefined;
  /** What is allowed, as a refusal says it: "name must be ...". */
  readonly expected: string;
  /** Taken where a body leaves it out; without one it is required. */
  readonly default?: Value;
}

/** All that the HTTP API knows of a property of an animal. */
export interface PetProperty<Value> {
  /** What the document says of it. */
  readonly documented: SwaggerProperty;
  /** `undefined` for what the service assigns. */
  readonly given?: GivenProperty<Value>;
}

const NAME_DESCRIPTION = `The animal's name: 1 to ${PetName.MAX_CODE_POINTS} Unicode characters, not only white space, no control characters.`;

/**
 * Each property of an animal, declared once: the DTOs, their checks, the document and the way from a body to the
 * domain are made from this table (specification, section 2). `petJson` of the domain writes them.
 */
export const PET_PROPERTIES = {
  id: {
    documented: {
      ...INT64_SCHEMA,
      description:
        'Unique identifier, assigned by the service on creation. A later animal has a greater one.',
      example: 42,
    },
  },
  name: {
    documented: {
      ...FREE_TEXT_SCHEMA,
      description: NAME_DESCRIPTION,
      example: 'Rex',
    },
    given: {
      documented: { ...FREE_TEXT_INPUT_SCHEMA, description: NAME_DESCRIPTION, example: 'Rex' },
      parse: (json) => FREE_TEXT_RULE.parse(json) as PetName | undefined,
      expected: FREE_TEXT_RULE.expected,
    },
  },
  categoryId: {
    documented: { ...INT64_SCHEMA, description: 'Id of the category the animal belongs to.', example: 7 },
    given: {
      // A number whose value is whole and in range, however it is spelt.
      parse: (json) => (json instanceof JsonNumber ? CategoryId.parse(json.toDigits() ?? '') : undefined),
      expected: CategoryId.EXPECTED,
    },
  },
  status: {
    documented: {
      enum: PetStatus.ALL,
      enumName: 'PetStatus',
      required: false,
      description: 'Availability status; always present in responses.',
      example: PetStatus.DEFAULT,
    },
    given: {
      documented: {
        enum: PetStatus.ALL,
        enumName: 'PetStatus',
        description: 'Availability status.',
        example: PetStatus.DEFAULT,
      },
      parse: (json) => (typeof json === 'string' ? PetStatus.parse(json) : undefined),
      expected: PetStatus.EXPECTED,
      default: PetStatus.DEFAULT,
    },
  },
} satisfies { readonly [Name in keyof PetState]: PetProperty<PetState[Name]> } & {
  // What a body gives.
  readonly [Name in keyof NewPet]: { readonly given: GivenProperty<NewPet[Name]> };
};
