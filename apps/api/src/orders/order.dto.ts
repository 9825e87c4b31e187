import { Documented, JsonNumber } from '@petstore/http-kernel';
import { type NewOrder, OrderStatus } from '@petstore/order-domain';
import { FreeText, INT64_MAX, PetId } from '@petstore/pet-domain';
import { BodyProperty } from '../operations/body-property.decorator.js';
import { FREE_TEXT_INPUT_SCHEMA, FREE_TEXT_RULE, FREE_TEXT_SCHEMA } from '../operations/free-text.schema.js';
import { INSTANT_SCHEMA } from '../operations/instant.schema.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';

const PET_ID = { ...INT64_SCHEMA, description: 'Id of the animal.', example: 42 };
const REFERENCE = {
  ...FREE_TEXT_SCHEMA,
  description:
    'A text of the client, such as the number of the application in its own system; never interpreted. Put no personal data here.',
  example: 'site-4711',
};
const REASON = {
  ...FREE_TEXT_SCHEMA,
  description: 'Why the order was cancelled, declined or returned, for people; absent if nobody said so.',
  example: 'The family has moved away.',
};

function petIdOf(json: unknown): PetId | undefined {
  return json instanceof JsonNumber ? PetId.parse(json.toDigits() ?? '') : undefined;
}

@Documented(({ ApiSchema }) => ApiSchema({ name: 'NewOrder', description: 'An application for one animal.' }))
export class NewOrderDto {
  @BodyProperty('petId', PET_ID, { parse: petIdOf, expected: `a whole number from 1 to ${INT64_MAX}` })
  petId!: unknown;

  @BodyProperty(
    'reference',
    { ...REFERENCE, ...FREE_TEXT_INPUT_SCHEMA },
    { ...FREE_TEXT_RULE, isOptional: true },
  )
  reference?: string;

  /** What a valid body asks for. */
  static toNewOrder({ petId, reference }: NewOrderDto): NewOrder {
    const id = petIdOf(petId);
    if (id === undefined) throw new TypeError('The body has not been validated.');
    return {
      petId: id,
      reference: reference === undefined ? undefined : FreeText.parse(reference),
    };
  }
}

@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'OrderReason', description: 'Why an order ends, for people.' }),
)
export class OrderReasonDto {
  @BodyProperty('reason', { ...REASON, ...FREE_TEXT_INPUT_SCHEMA }, { ...FREE_TEXT_RULE, isOptional: true })
  reason?: string;

  /** What a valid body says. */
  static toReason({ reason }: OrderReasonDto): FreeText | undefined {
    return reason === undefined ? undefined : FreeText.parse(reason);
  }
}

/** An adoption order, as the document has it. */
@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'Order', description: 'An application for one animal, which is reserved at once.' }),
)
export class OrderDto {
  @Documented(({ ApiProperty }) =>
    ApiProperty({
      ...INT64_SCHEMA,
      description: 'Assigned by the service; a later order has a greater one.',
      example: 91,
    }),
  )
  id!: string;

  @Documented(({ ApiProperty }) => ApiProperty(PET_ID))
  petId!: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({
      enum: OrderStatus.ALL,
      enumName: 'OrderStatus',
      description: 'State of the order.',
      example: 'placed',
    }),
  )
  status!: string;

  @Documented(({ ApiPropertyOptional }) => ApiPropertyOptional(REFERENCE))
  reference?: string;

  @Documented(({ ApiPropertyOptional }) => ApiPropertyOptional(REASON))
  reason?: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({
      type: 'string',
      maxLength: 64,
      pattern: '^key_[0-9A-Za-z]+$',
      description: 'Id of the API key that placed the order.',
      example: 'key_Wz6Oq1rXc8TqLd0A',
    }),
  )
  placedBy!: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({ ...INSTANT_SCHEMA, description: 'When it was placed, in UTC.' }),
  )
  placedAt!: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({ ...INSTANT_SCHEMA, description: 'When its state changed last, in UTC.' }),
  )
  updatedAt!: string;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({
      ...INSTANT_SCHEMA,
      description: 'When the reservation ends, in UTC; present while the order is `placed` or `approved`.',
      example: '2026-11-24T19:12:07.123Z',
    }),
  )
  expiresAt?: string;
}
