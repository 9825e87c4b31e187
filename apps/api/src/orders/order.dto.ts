import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions } from '@petstore/http-server';
import { type NewOrder, ORDER_FIELDS, type OrderId, OrderStatus } from '@petstore/order-domain';
import { described, FreeText, PetId } from '@petstore/pet-domain';
import { List } from '../lists/list.js';
import { cursorOf, filter, LIMIT } from '../lists/query-parameters.js';
import { bodyMember, INSTANT_SCHEMA, INT64_SCHEMA, responseSchema } from '../operations/members.js';

export const ORDER_LIST = new List({
  path: '/store/orders',
  what: 'orders',
  parameters: {
    limit: LIMIT,
    status: filter(OrderStatus, { enumName: 'OrderStatus', description: 'Only orders in this state.' }),
    petId: filter(PetId, { description: 'Only orders for this animal.' }),
    cursor: cursorOf<OrderId>(),
  },
});

const PET_ID = described(PetId, 'Id of the animal.', 42);
const REFERENCE = described(
  FreeText,
  'A text of the client, such as the number of the application in its own system; never interpreted. Put no personal data here.',
  'site-4711',
);
const REASON = described(
  FreeText,
  'Why the order was cancelled, declined or returned, for people; absent if none was given.',
  'The family has moved away.',
);
const STATUS = { enumName: 'OrderStatus' };

const PetIdMember = bodyMember(PET_ID);
const ReferenceMember = bodyMember(REFERENCE);
const ReasonMember = bodyMember(REASON);

@ApiSchema({ name: 'NewOrder', description: 'An application for one animal.' })
export class NewOrderDto implements NewOrder {
  @PetIdMember()
  petId!: PetId;

  @ReferenceMember('optional')
  reference?: FreeText;
}

@ApiSchema({ name: 'OrderReason', description: 'Why an order ends, for people.' })
@JsonBodyOptions({ isOptional: true })
export class OrderReasonDto {
  @ReasonMember('optional')
  reason?: FreeText;
}

export class ListOrdersQuery extends ORDER_LIST.Query {}

/** An adoption order as it is returned. Documents `orderJson`. */
@ApiSchema({ name: 'Order', description: 'An application for one animal, which is reserved at once.' })
export class OrderDto {
  @ApiProperty({
    ...INT64_SCHEMA,
    description: 'Assigned by the service; a later order has a greater one.',
    example: 91,
  })
  id!: string;

  @ApiProperty(responseSchema(PET_ID))
  petId!: string;

  @ApiProperty({ ...responseSchema(described(OrderStatus, 'State of the order.', 'placed')), ...STATUS })
  status!: string;

  @ApiPropertyOptional(responseSchema(REFERENCE))
  reference?: string;

  @ApiPropertyOptional(responseSchema(REASON))
  reason?: string;

  @ApiProperty(
    responseSchema(
      described(ORDER_FIELDS.placedBy, 'Id of the API key that placed the order.', 'key_Wz6Oq1rXc8TqLd0A'),
    ),
  )
  placedBy!: string;

  @ApiProperty({ ...INSTANT_SCHEMA, description: 'When it was placed, in UTC.' })
  placedAt!: string;

  @ApiProperty({ ...INSTANT_SCHEMA, description: 'When its state changed last, in UTC.' })
  updatedAt!: string;

  @ApiPropertyOptional({
    ...INSTANT_SCHEMA,
    description: 'When the reservation ends, in UTC; present while the order is `placed` or `approved`.',
    example: '2026-11-24T19:12:07.123Z',
  })
  expiresAt?: string;
}
