import { ApiError } from '@petstore/http-kernel';
import { type OrderPageRequest, OrderStatus, type OrderVisibility } from '@petstore/order-domain';
import { INT64_MAX, PetId } from '@petstore/pet-domain';
import { CursorParameter } from '../lists/cursor.parameter.js';
import { LIST_ERRORS } from '../lists/list.errors.js';
import { LimitParameter, pageLimitOf } from '../lists/page-limit.parameter.js';
import { QueryParameter } from '../lists/query-parameter.decorator.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import { OrderCursor } from './order-cursor.js';

export class ListOrdersQuery {
  @LimitParameter('orders')
  limit?: string;

  @QueryParameter(
    'status',
    { enum: OrderStatus.ALL, enumName: 'OrderStatus', description: 'Only orders in this state.' },
    { parse: (text) => OrderStatus.parse(text), expected: `one of ${OrderStatus.ALL.join(', ')}` },
  )
  status?: OrderStatus;

  @QueryParameter(
    'petId',
    { ...INT64_SCHEMA, description: 'Only orders for this animal.' },
    {
      parse: (text) => PetId.parse(text),
      expected: `a whole number from 1 to ${INT64_MAX} in plain decimal digits`,
    },
  )
  petId?: PetId;

  @CursorParameter((text) => OrderCursor.decode(text), 'the same `status` and `petId`')
  cursor?: string;

  /**
   * The page that a valid query asks for.
   *
   * @throws ApiError `invalid_cursor` when the cursor is from a list with another filter
   */
  static toPageRequest(
    { limit, status, petId, cursor }: ListOrdersQuery,
    visibility: OrderVisibility,
  ): OrderPageRequest {
    const position = cursor === undefined ? undefined : OrderCursor.decode(cursor);
    if (position !== undefined && (position.status !== status || position.petId !== petId)) {
      throw new ApiError(LIST_ERRORS.invalid_cursor, {
        message:
          'The cursor belongs to a list with another status or petId. Send the filters that it was given out for.',
      });
    }
    return {
      limit: pageLimitOf(limit),
      visibility,
      status,
      petId,
      before: position?.before,
    };
  }
}
