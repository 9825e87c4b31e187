import { ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions } from '@petstore/http-server';
import { type NewOrder, ORDER_FIELDS, type OrderId, OrderStatus } from '@petstore/order-domain';
import { type FreeText, PetId } from '@petstore/pet-domain';
import { KEY_ID } from '../access/key-id.value.js';
import { List } from '../lists/list.js';
import { cursorOf, filter, LIMIT } from '../lists/query-parameters.js';
import { BodyMember, ResponseOf } from '../operations/members.js';

export const ORDER_LIST = new List({
  path: '/store/orders',
  what: 'orders',
  parameters: {
    limit: LIMIT,
    status: filter(OrderStatus, { description: 'Only orders in this state.' }),
    petId: filter(PetId, { description: 'Only orders for this animal.' }),
    cursor: cursorOf<OrderId>(),
  },
});

export class ListOrdersQuery extends ORDER_LIST.Query {}

@ApiSchema({ name: 'NewOrder', description: 'An application for one animal.' })
export class NewOrderDto implements NewOrder {
  @BodyMember(ORDER_FIELDS.petId)
  petId!: PetId;

  @BodyMember(ORDER_FIELDS.reference, 'optional')
  reference?: FreeText;
}

@ApiSchema({ name: 'OrderReason', description: 'Why an order ends, for people.' })
@JsonBodyOptions({ isOptional: true })
export class OrderReasonDto {
  @BodyMember(ORDER_FIELDS.reason, 'optional')
  reason?: FreeText;
}

const PLACED_BY = {
  ...ORDER_FIELDS.placedBy,
  schema: { ...KEY_ID.schema, ...ORDER_FIELDS.placedBy.schema },
};

/** An adoption order as it is returned. */
@ApiSchema({ name: 'Order', description: 'An application for one animal, which is reserved at once.' })
@ResponseOf({ ...ORDER_FIELDS, placedBy: PLACED_BY })
export class OrderDto {}
