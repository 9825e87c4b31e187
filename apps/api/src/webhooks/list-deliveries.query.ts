import { ApiError } from '@petstore/http-kernel';
import { type DeliveryPageRequest, DeliveryStatus, type WebhookRequest } from '@petstore/webhook';
import { CursorParameter } from '../lists/cursor.parameter.js';
import { LIST_ERRORS } from '../lists/list.errors.js';
import { LimitParameter, pageLimitOf } from '../lists/page-limit.parameter.js';
import { QueryParameter } from '../lists/query-parameter.decorator.js';
import { DeliveryCursor } from './delivery-cursor.js';

export class ListDeliveriesQuery {
  @LimitParameter('deliveries')
  limit?: string;

  @QueryParameter(
    'status',
    { enum: DeliveryStatus.ALL, enumName: 'DeliveryStatus', description: 'Only deliveries in this state.' },
    {
      parse: (text) => DeliveryStatus.parse(text),
      expected: `one of ${DeliveryStatus.ALL.join(', ')}`,
    },
  )
  status?: DeliveryStatus;

  @CursorParameter((text) => DeliveryCursor.decode(text), 'the same `status`, of the same webhook')
  cursor?: string;

  /**
   * The page that a valid query asks for.
   *
   * @throws ApiError `invalid_cursor` when the cursor is from another list
   */
  static toPageRequest(
    { limit, status, cursor }: ListDeliveriesQuery,
    webhook: WebhookRequest,
  ): DeliveryPageRequest {
    const position = cursor === undefined ? undefined : DeliveryCursor.decode(cursor);
    if (position !== undefined && (position.status !== status || position.webhookId !== webhook.id)) {
      throw new ApiError(LIST_ERRORS.invalid_cursor, {
        message:
          'The cursor belongs to another webhook, or to a list with another status. Send the filter that it was given out for.',
      });
    }
    return { ...webhook, limit: pageLimitOf(limit), status, before: position?.before };
  }
}
