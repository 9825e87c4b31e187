import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions } from '@petstore/http-server';
import { type NewOrder, type OrderId, OrderStatus } from '@petstore/order-domain';
import { FreeText, PageLimit, PetId } from '@petstore/pet-domain';
import { CursorFormat, type CursorPosition, numbered } from '../lists/cursor.js';
import { CursorParameter, IdParameter, LimitParameter, EnumParameter } from '../lists/list-parameters.js';
import { INSTANT_SCHEMA, INT64_SCHEMA, int64Member, textMember, textSchema } from '../operations/members.js';

/** Positions in lists of orders; `filter` is the pet. */
export const ORDER_CURSOR = new CursorFormat<OrderId, OrderStatus>('o_', numbered(OrderStatus.ALL));

const PET_ID = { description: 'Id of the animal.', example: 42 };
const REFERENCE = {
  description:
    'A text of the client, such as the number of the application in its own system; never interpreted. Put no personal data here.',
  example: 'site-4711',
};
const REASON = {
  description: 'Why the order was cancelled, declined or returned, for people; absent if none was given.',
  example: 'The family has moved away.',
};
const STATUS = { enum: OrderStatus.ALL, enumName: 'OrderStatus' };

const PetIdMember = int64Member(PetId, PET_ID);
const ReferenceMember = textMember(FreeText, REFERENCE);
const ReasonMember = textMember(FreeText, REASON);

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

export class ListOrdersQuery {
  @LimitParameter('orders')
  limit: number = PageLimit.DEFAULT;

  @EnumParameter(OrderStatus, { enumName: 'OrderStatus', description: 'Only orders in this state.' })
  status?: OrderStatus;

  @IdParameter({ description: 'Only orders for this animal.' })
  petId?: PetId;

  @CursorParameter(ORDER_CURSOR, 'the same `status` and `petId`')
  cursor?: CursorPosition<OrderId>;
}

/** An adoption order as it is returned. Documents `orderJson`. */
@ApiSchema({ name: 'Order', description: 'An application for one animal, which is reserved at once.' })
export class OrderDto {
  @ApiProperty({
    ...INT64_SCHEMA,
    description: 'Assigned by the service; a later order has a greater one.',
    example: 91,
  })
  id!: string;

  @ApiProperty({ ...INT64_SCHEMA, ...PET_ID })
  petId!: string;

  @ApiProperty({ ...STATUS, description: 'State of the order.', example: 'placed' })
  status!: string;

  @ApiPropertyOptional({ ...textSchema(FreeText), ...REFERENCE })
  reference?: string;

  @ApiPropertyOptional({ ...textSchema(FreeText), ...REASON })
  reason?: string;

  @ApiProperty({
    type: 'string',
    maxLength: 64,
    pattern: '^key_[0-9A-Za-z]+$',
    description: 'Id of the API key that placed the order.',
    example: 'key_Wz6Oq1rXc8TqLd0A',
  })
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
