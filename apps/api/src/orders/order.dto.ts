import { Documented, JsonNumber } from '@petstore/http-kernel';
import { type NewOrder, OrderStatus } from '@petstore/order-domain';
import { FreeText, INT64_MAX, PetId } from '@petstore/pet-domain';
import { BodyProperty } from '../operations/body-property.decorator.js';
import { FREE_TEXT_RULE, FREE_TEXT_SCHEMA } from '../operations/free-text.schema.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';

const PET_ID = { ...INT64_SCHEMA, description: 'Id of the animal.', example: 42 };
const REFERENCE = {
  ...FREE_TEXT_SCHEMA,
  description: 'What the client calls the application; never interpreted.',
  example: 'site-4711',
};
const REASON = { ...FREE_TEXT_SCHEMA, description: 'Why the order ended, for people.' };
const INSTANT = { type: 'string', format: 'date-time' } as const;

function petIdOf(json: unknown): PetId | undefined {
  return json instanceof JsonNumber ? PetId.parse(json.toDigits() ?? '') : undefined;
}

@Documented(({ ApiSchema }) => ApiSchema({ name: 'NewOrder', description: 'An application for one animal.' }))
export class NewOrderDto {
  @BodyProperty('petId', PET_ID, { parse: petIdOf, expected: `a whole number from 1 to ${INT64_MAX}` })
  petId!: unknown;

  @BodyProperty('reference', REFERENCE, { ...FREE_TEXT_RULE, isOptional: true })
  reference?: string;

  /** What a valid body asks for. */
  static toNewOrder({ petId, reference }: NewOrderDto): NewOrder {
    const id = petIdOf(petId);
    if (id === undefined) throw new TypeError('The body was not checked.');
    return {
      petId: id,
      reference: reference === undefined ? undefined : FreeText.parse(reference),
    };
  }
}

@Documented(({ ApiSchema }) => ApiSchema({ name: 'OrderReason', description: 'Why an order ends.' }))
export class OrderReasonDto {
  @BodyProperty('reason', REASON, { ...FREE_TEXT_RULE, isOptional: true })
  reason?: string;

  /** What a valid body says. */
  static toReason({ reason }: OrderReasonDto): FreeText | undefined {
    return reason === undefined ? undefined : FreeText.parse(reason);
  }
}

/** An adoption order, as the document has it. */
@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'Order', description: 'An application for one animal, which it reserves at once.' }),
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

  @Documented(({ ApiProperty }) => ApiProperty({ enum: OrderStatus.ALL, enumName: 'OrderStatus' }))
  status!: string;

  @Documented(({ ApiPropertyOptional }) => ApiPropertyOptional(REFERENCE))
  reference?: string;

  @Documented(({ ApiPropertyOptional }) => ApiPropertyOptional(REASON))
  reason?: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({
      type: 'string',
      description: 'Id of the API key that placed it.',
      example: 'key_Wz6Oq1rXc8TqLd0A',
    }),
  )
  placedBy!: string;

  @Documented(({ ApiProperty }) => ApiProperty(INSTANT))
  placedAt!: string;

  @Documented(({ ApiProperty }) => ApiProperty(INSTANT))
  updatedAt!: string;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({ ...INSTANT, description: 'When it expires; only while it is placed or approved.' }),
  )
  expiresAt?: string;
}
